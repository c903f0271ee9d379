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
/** Model ids are free text: the memory of what they refuse is bounded. */
const REFUSED_MAX = 1_000;

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
 * Makes a call of one attempt or, where that fails, of more: the same once more, and both again without what was refused,
 * an effort by its name or a schema. A model that then answers is asked so from the start, for the life of the process.
 */
export function createAskAgain(clock: Clock, askOnce: AskOnce): (call: GatewayCall) => Promise<CallResult> {
  const refused = new Lru<string, true>(REFUSED_MAX);
  const isKnown = (setting: Setting, call: GatewayCall): boolean =>
    setting.isSet(call) && refused.get(setting.keyOf(call)) === true;

  return async (call) => {
    const sameAgain = twice(clock, askOnce, call.budgetMs);
    const known = SETTINGS.filter((setting) => isKnown(setting, call));
    let asked = known.reduce((rest, setting) => setting.without(rest), call);
    let result = await sameAgain(asked);
    const leftOut: Setting[] = [];
    for (let next = refusedBy(result, asked); next; next = refusedBy(result, asked)) {
      leftOut.push(next);
      asked.heard?.again();
      asked = next.without(asked);
      result = await sameAgain(asked);
    }
    if (!result.ok) return result;
    for (const setting of leftOut) refused.set(setting.keyOf(call), true);
    const without = new Set([...known, ...leftOut].map(({ field }) => field));
    return {
      ...result,
      ...(without.has('reasoningEffort') && { effortRefused: true as const }),
      ...(without.has('webSearch') && { searchRefused: true as const }),
    };
  };
}

/** Asks one question after another within a time for all of them, each once more where that may help. */
function twice(clock: Clock, askOnce: AskOnce, budgetMs: number): (call: GatewayCall) => Promise<CallResult> {
  const endsAtMs = clock.nowMs() + budgetMs;
  let attempt = 0;
  const ask = (call: GatewayCall): Promise<CallResult> => {
    attempt += 1;
    return askOnce(call, { attempt, budgetMs: endsAtMs - clock.nowMs() });
  };
  return async (call) => {
    const { scope, signal } = call;
    scope.retries.called();
    const result = await ask(call);
    const pauseMs = result.ok || signal.aborted ? undefined : pauseMsAfter(result);
    if (pauseMs === undefined || endsAtMs - clock.nowMs() - pauseMs < SAME_AGAIN_MIN_MS) return result;
    if (!takesRetry(call)) return result;
    call.heard?.again();
    await sleep(clock, pauseMs, signal);
    return signal.aborted ? result : ask(call);
  };
}

/** The answer may always be tried twice. */
function takesRetry(call: GatewayCall): boolean {
  return isPaid(call) && (call.purpose === 'answer' || call.scope.retries.take());
}

function isPaid({ mayAskAgain }: GatewayCall): boolean {
  return mayAskAgain?.() !== false;
}

/** What of a call a model may refuse, and can do without. */
interface Setting {
  readonly field: 'reasoningEffort' | 'outputSchema' | 'webSearch';
  isSet(call: GatewayCall): boolean;
  isRefused(result: FailedCall): boolean;
  without(call: GatewayCall): GatewayCall;
  /** What a model has refused: our own schemas by their names, a caller's by what it says. */
  keyOf(call: GatewayCall): string;
}

/** What is refused by name goes before what may have been meant. */
const SETTINGS: readonly Setting[] = [
  {
    field: 'reasoningEffort',
    isSet: ({ reasoningEffort, model }) => reasoningEffort !== undefined && model.reasoningEffort === true,
    isRefused: ({ cause, streamed }) => !streamed && cause instanceof ModelFault && cause.namesEffort,
    without: ({ reasoningEffort: _effort, ...rest }) => rest,
    keyOf: ({ model, reasoningEffort }) => keyOf([model.id, reasoningEffort]),
  },
  {
    field: 'outputSchema',
    isSet: ({ outputSchema }) => outputSchema !== undefined,
    isRefused: ({ fault, streamed }) => !streamed && REMEDIES[fault] === 'plain',
    without: plainCall,
    keyOf: ({ model, purpose, outputSchema, sampling }) =>
      keyOf([model.id, purpose === 'answer' ? outputSchema : outputSchema?.name, sampling]),
  },
  {
    // Some models have no search, and some accounts may not use it: their provider says so in words of its own.
    field: 'webSearch',
    isSet: ({ prompt }) => prompt.webSearch === true,
    isRefused: ({ fault, streamed }) => !streamed && REMEDIES[fault] === 'plain',
    without: ({ prompt: { webSearch: _search, ...prompt }, ...rest }) => ({ ...rest, prompt }),
    keyOf: ({ model }) => keyOf([model.id, 'web search']),
  },
];

function refusedBy(result: CallResult, call: GatewayCall): Setting | undefined {
  if (result.ok || !isPaid(call)) return undefined;
  return SETTINGS.find((setting) => setting.isSet(call) && setting.isRefused(result));
}

/** A model that nothing holds to the schema any more is not passed on piece by piece: its reply must be looked at first. */
function plainCall({ outputSchema: _schema, sampling, onText: _onText, ...plain }: GatewayCall): GatewayCall {
  // The answer's sampling is the caller's own wish, and is not what a schema is refused for.
  return plain.purpose === 'answer' && sampling ? { ...plain, sampling } : plain;
}

function keyOf(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}

/** A 429 that does not say how long to wait may be a spending limit: asking again would not help. */
function pauseMsAfter({ fault, cause, streamed, final = false }: FailedCall): number | undefined {
  if (streamed || final || REMEDIES[fault] !== 'same') return undefined;
  const askedSeconds = cause instanceof ModelFault ? cause.retryAfterSeconds : undefined;
  if (askedSeconds !== undefined) return askedSeconds * 1_000;
  return fault === 'rate_limited' ? undefined : PAUSE_MS;
}
