import { createHash } from 'node:crypto';
import { type Clock, sleep } from '../../lib/clock';
import { Lru } from '../../lib/lru';
import { ModelFault, type ModelFaultKind } from '../model';
import type { CallResult, FailedCall, GatewayCall } from './gateway-call';

/**
 * What may help after a fault: the same question after a pause, the question without its schema and sampling settings
 * (models that refuse the one often refuse the other), a shorter prompt, or nothing.
 */
const REMEDIES: Readonly<Record<ModelFaultKind, 'same' | 'plain' | 'shorter' | 'none'>> = {
  rate_limited: 'same',
  overloaded: 'same',
  timeout: 'same',
  network: 'same',
  server: 'same',
  protocol: 'same',
  empty: 'same',
  bad_request: 'plain',
  context_length: 'shorter',
  unauthorized: 'none',
  not_configured: 'none',
  not_found: 'none',
  content_filter: 'none',
  output_too_long: 'none',
  unavailable: 'none',
  token_grant_used_up: 'none',
  aborted: 'none',
};

/** The pause before the same question is asked again, unless the provider says how long it is to be. */
const PAUSE_MS = 250;
/** With less time than this left, asking the same again is not worth its tokens. */
const SAME_AGAIN_MIN_MS = 2_000;
/** Model ids are free text: the memory of those that refuse schemas is bounded. */
const REFUSING_MAX = 1_000;

/** Which attempt of a call it is, and how long it may take. */
export interface Attempt {
  readonly attempt: number;
  readonly budgetMs: number;
}

type AskOnce = (call: GatewayCall, attempt: Attempt) => Promise<CallResult>;

/** Whether the same question in fewer words may be answered. Only its author can shorten it. */
export function shorterMayHelp(result: CallResult): boolean {
  return !result.ok && !result.streamed && REMEDIES[result.fault] === 'shorter';
}

/**
 * Makes a call of one attempt or, where that fails, of more: the same once more, and both again plainly where a schema
 * was refused. A model that then answers is asked plainly from the start, for the life of the process.
 */
export function createAskAgain(clock: Clock, askOnce: AskOnce): (call: GatewayCall) => Promise<CallResult> {
  const refusing = new Lru<string, true>(REFUSING_MAX);

  return async (call) => {
    const endsAtMs = clock.nowMs() + call.budgetMs;
    let attempt = 0;
    const ask = (asked: GatewayCall): Promise<CallResult> => {
      attempt += 1;
      return askOnce(asked, { attempt, budgetMs: endsAtMs - clock.nowMs() });
    };
    if (!call.outputSchema) return sameAgain(call);
    const plain = plainCall(call);
    const shape = shapeOf(call);
    if (refusing.get(shape)) return sameAgain(plain);
    const first = await sameAgain(call);
    if (first.ok || REMEDIES[first.fault] !== 'plain' || !isPaid(call)) return first;
    const second = await sameAgain(plain);
    if (second.ok) refusing.set(shape, true);
    return second;

    async function sameAgain(asked: GatewayCall): Promise<CallResult> {
      const { scope, signal } = asked;
      scope.retries.called();
      const result = await ask(asked);
      const pauseMs = result.ok || signal.aborted ? undefined : pauseMsAfter(result);
      if (pauseMs === undefined || endsAtMs - clock.nowMs() - pauseMs < SAME_AGAIN_MIN_MS) return result;
      if (!takesRetry(asked)) return result;
      await sleep(clock, pauseMs, signal);
      return signal.aborted ? result : ask(asked);
    }
  };
}

/** The answer may always be tried twice. */
function takesRetry(call: GatewayCall): boolean {
  return isPaid(call) && (call.purpose === 'answer' || call.scope.retries.take());
}

function isPaid({ mayAskAgain }: GatewayCall): boolean {
  return mayAskAgain?.() !== false;
}

/** A model that nothing holds to the schema any more is not passed on piece by piece: its reply must be looked at first. */
function plainCall({ outputSchema: _schema, sampling, onText: _onText, ...plain }: GatewayCall): GatewayCall {
  // The answer's sampling is the caller's own wish, and is not what a schema is refused for.
  return plain.purpose === 'answer' && sampling ? { ...plain, sampling } : plain;
}

/** What a model has refused: our own schemas by their names, a caller's by what it says. */
function shapeOf({ model, purpose, outputSchema, sampling }: GatewayCall): string {
  const json = JSON.stringify([model.id, purpose === 'answer' ? outputSchema : outputSchema?.name, sampling]);
  return createHash('sha256').update(json).digest('base64');
}

/** A 429 that does not say how long to wait may be a spending limit: asking again would not help. */
function pauseMsAfter({ fault, cause, streamed, final = false }: FailedCall): number | undefined {
  if (streamed || final || REMEDIES[fault] !== 'same') return undefined;
  const askedSeconds = cause instanceof ModelFault ? cause.retryAfterSeconds : undefined;
  if (askedSeconds !== undefined) return askedSeconds * 1_000;
  return fault === 'rate_limited' ? undefined : PAUSE_MS;
}
