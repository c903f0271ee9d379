import { createHash } from 'node:crypto';
import { Lru } from '../../lib/lru';
import type { RequestPart } from '../model';
import { ModelFault } from '../model-fault';
import { isMarked } from '../prompt-caches';
import type { FailedCall, GatewayCall, RefusedPart } from './gateway-call';
import { plainMayHelp } from './retries';

/** Model ids are free text: the memory of what they refuse is bounded. */
const REFUSED_MAX = 1_000;

/** A part of a call that a model may refuse, and can do without or have in another form. */
interface Part {
  readonly part: RefusedPart;
  /** Its value in a call, as far as that is refused; undefined or false where the call has none. */
  valueIn(call: GatewayCall): unknown;
  isRefused(result: FailedCall): boolean;
  without(call: GatewayCall): GatewayCall;
}

/** Parts that may be refused by name. */
const NAMED: Readonly<Record<RequestPart, Part['valueIn']>> = {
  // Some models think by default, and are to be told that they must not.
  thoughtsBesideTools: ({ prompt }) => prompt.tools !== undefined,
  reasoningEffort: ({ reasoningEffort }) => reasoningEffort,
  streamOptions: () => true,
  limitName: ({ outputTokensMax }) => outputTokensMax !== undefined,
  parallelToolCalls: ({ prompt }) => prompt.tools?.parallel !== undefined,
  cacheMarks: ({ prompt }) => isMarked(prompt),
  promptCacheKey: ({ prompt, promptCacheKey }) => promptCacheKey !== undefined || isMarked(prompt),
  // Where both are refused together, the temperature may do alone.
  topP: ({ sampling: { temperature, topP } = {} }) => topP !== undefined && [temperature !== undefined],
  temperature: ({ sampling }) => sampling?.temperature !== undefined,
  reasoning: ({ prompt: { turns } }) => turns.some(({ reasoning }) => reasoning),
  names: ({ prompt: { turns } }) => turns.some(({ name }) => name !== undefined),
  turnsInARow: ({ prompt: { turns } }) => turns.some(({ role }, at) => role === (turns[at - 1]?.role ?? 'assistant')),
};

function named(part: RequestPart): Part {
  return {
    part,
    valueIn: (call) => !call.without?.includes(part) && NAMED[part](call),
    isRefused: ({ cause }) => cause instanceof ModelFault && cause.refuses.includes(part),
    without: (call) => ({ ...call, without: [...(call.without ?? []), part] }),
  };
}

/** A part refused by name goes before what may have been meant. */
const PARTS: readonly Part[] = [
  ...(Object.keys(NAMED) as RequestPart[]).map(named),
  {
    part: 'outputSchema',
    // Our own schemas by their names, a caller's by what it says.
    valueIn: ({ purpose, outputSchema, sampling }) =>
      outputSchema && [purpose === 'answer' ? outputSchema : outputSchema.name, sampling],
    isRefused: plainMayHelp,
    // A model that nothing holds to the schema any more is not passed on piece by piece: its reply must be looked at first.
    without: ({ outputSchema: _schema, sampling, onText: _onText, ...plain }) =>
      // The answer's sampling is the caller's own wish, and is not what a schema is refused for.
      plain.purpose === 'answer' && sampling ? { ...plain, sampling } : plain,
  },
  {
    // Some models have no search, and some accounts may not use it: their provider says so in words of its own.
    part: 'webSearch',
    valueIn: ({ prompt }) => prompt.webSearch,
    isRefused: plainMayHelp,
    without: ({ prompt: { webSearch: _search, ...prompt }, ...rest }) => ({ ...rest, prompt }),
  },
  // Last of all without its name: a caller may ask any model for any effort.
  { ...named('reasoningEffort'), isRefused: plainMayHelp },
];

/** The part for which a call was refused; undefined where that is none. */
export function refusedPart(result: FailedCall, call: GatewayCall): Part | undefined {
  if (result.streamed || call.mayAskAgain?.() === false) return undefined;
  return PARTS.find((part) => part.valueIn(call) && part.isRefused(result));
}

/** Parts that models have refused, and answered without, in the life of the process. */
export class RefusedParts {
  readonly #refused = new Lru<string, true>(REFUSED_MAX);

  /** Parts of a call that its model is known to refuse. */
  of(call: GatewayCall): readonly Part[] {
    return PARTS.filter((part) => part.valueIn(call) && this.#refused.get(keyOf(part, call)));
  }

  /** Remembers that the model answered the call without these parts. */
  add(call: GatewayCall, parts: readonly Part[]): void {
    for (const part of parts) this.#refused.set(keyOf(part, call), true);
  }
}

/** Key of a refused part: a caller's schema is long. */
function keyOf({ part, valueIn }: Part, call: GatewayCall): string {
  return createHash('sha256')
    .update(JSON.stringify([call.model.id, part, valueIn(call)]))
    .digest('base64');
}
