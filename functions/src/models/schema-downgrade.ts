import type { Clock } from '../lib/clock';
import { Lru } from '../lib/lru';
import type { CallResult, GatewayCall } from './gateway';

type Ask = (call: GatewayCall) => Promise<CallResult>;

/** Unknown ids are free text: the memory of them is bounded. */
const MODELS_MAX = 1_000;

/**
 * Makes a call with an output schema that the model refuses (400) once more, plainly: without the schema, and without
 * sampling settings, which such models often refuse as well. A model that then answers is asked plainly from the start
 * for the life of the process. The plain call is an attempt of its own, within the same budget.
 */
export function withSchemaDowngrade(clock: Clock, ask: Ask): Ask {
  const refusing = new Lru<string, true>(MODELS_MAX);
  return async (call) => {
    if (!call.outputSchema) return ask(call);
    const shape = JSON.stringify([call.model.id, call.outputSchema.name, call.sampling]);
    if (refusing.get(shape)) return ask(plain(call));
    const endsAtMs = clock.nowMs() + call.budgetMs;
    let attempts = 0;
    const openAttempt: GatewayCall['openAttempt'] = () => {
      attempts += 1;
      return call.openAttempt(attempts);
    };
    const result = await ask({ ...call, openAttempt });
    if (result.ok || result.fault !== 'bad_request') return result;
    const second = await ask({ ...plain(call), openAttempt, budgetMs: endsAtMs - clock.nowMs() });
    if (second.ok) refusing.set(shape, true);
    return second;
  };
}

function plain({ outputSchema, sampling, ...rest }: GatewayCall): GatewayCall {
  return rest;
}
