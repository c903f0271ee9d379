import { createHash } from 'node:crypto';
import { type Clock, sleep } from '../../lib/clock';
import { Lru } from '../../lib/lru';
import { ModelFault, type ModelFaultKind, type RequestPart } from '../model';
import type { CallResult, FailedCall, GatewayCall, RefusedPart } from './gateway-call';

/**
 * Remedies of faults: the same question after a pause, the question without what was refused, a shorter prompt,
 * another question or model, which are the caller's to name, or nothing that a caller can do.
 */
const REMEDIES: Readonly<Record<ModelFaultKind, 'same' | 'plain' | 'shorter' | 'other' | 'none'>> = {
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
  out_of_credit: 'none',
  unsupported_region: 'none',
  wrong_address: 'none',
  not_configured: 'other',
  not_found: 'other',
  content_filter: 'other',
  output_too_long: 'none',
  output_limit_used_up: 'other',
  unavailable: 'none',
  token_grant_used_up: 'none',
  aborted: 'none',
};

/** The pause before the same question is asked again, unless the provider says how long it is to be. */
const PAUSE_MS = 250;
const BUSY: ReadonlySet<ModelFaultKind> = new Set(['rate_limited', 'overloaded']);
/** The first of the growing pauses before a provider that serves other calls of the run is asked again, and the longest. */
const BUSY_PAUSE_MS = 500;
const BUSY_PAUSE_MAX_MS = 16_000;
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

/** True of a failure that the same question will have again. */
export function isForGood({ fault }: Pick<FailedCall, 'fault'>): boolean {
  return REMEDIES[fault] !== 'same' && REMEDIES[fault] !== 'none';
}

/**
 * Makes a call of one attempt or, where that fails, of more: the same once more, and both again without what was refused,
 * by its name or as what may have been meant. A model that then answers is asked so from the start, for the life of the
 * process.
 */
export function createAskAgain(clock: Clock, askOnce: AskOnce): (call: GatewayCall) => Promise<CallResult> {
  const refused = new Lru<string, true>(REFUSED_MAX);
  return async (call) => {
    const sameAgain = untilServed(clock, askOnce, call.budgetMs);
    const known = SETTINGS.filter((setting) => setting.valueIn(call) && refused.get(keyOf(setting, call)));
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
    for (const setting of leftOut) refused.set(keyOf(setting, call), true);
    const parts = [...known, ...leftOut].map(({ part }) => part);
    return parts.length > 0 ? { ...result, refused: parts } : result;
  };
}

/**
 * Asks one question after another within a time for all of them, each once more where that may help; and as long as a
 * provider that is busy serves other calls of the same request, again and again.
 */
function untilServed(clock: Clock, askOnce: AskOnce, budgetMs: number): (call: GatewayCall) => Promise<CallResult> {
  const endsAtMs = clock.nowMs() + budgetMs;
  let attempt = 0;
  const ask = (call: GatewayCall): Promise<CallResult> => {
    attempt += 1;
    return askOnce(call, { attempt, budgetMs: endsAtMs - clock.nowMs() });
  };
  return async (call) => {
    const { scope, signal, model } = call;
    const service = scope.retries.serviceAt(model.provider);
    let answered = 0;
    const isServing = (): boolean => service.underWay > 0 || service.answered > answered;
    /** Waits for it, where it is worth that. */
    const comesAgain = async (result: FailedCall, retries: number): Promise<boolean> => {
      const leftMs = endsAtMs - clock.nowMs() - SAME_AGAIN_MIN_MS;
      const onceMs = retries === 0 ? pauseMsAfter(result) : undefined;
      if (onceMs !== undefined && onceMs <= leftMs && takesRetry(call)) {
        await sleep(clock, onceMs, signal);
        return true;
      }
      const pauseMs = busyPauseMs(result, retries);
      if (pauseMs > leftMs || !isPaid(call) || !isServing()) return false;
      call.onWait?.(true);
      await sleep(clock, pauseMs, signal);
      call.onWait?.(false);
      // Others that were under way may have been refused, too.
      return isServing();
    };
    scope.retries.called();
    let result = await ask(call);
    for (let retries = 0; !result.ok && !signal.aborted; retries += 1) {
      if (!(await comesAgain(result, retries)) || signal.aborted) return result;
      answered = service.answered;
      call.heard?.again();
      result = await ask(call);
    }
    return result;
  };
}

/** The answer may always be tried twice. */
function takesRetry(call: GatewayCall): boolean {
  return isPaid(call) && (call.purpose === 'answer' || call.scope.retries.take());
}

function isPaid({ mayAskAgain }: GatewayCall): boolean {
  return mayAskAgain?.() !== false;
}

/** A part of a call that a model may refuse, and can do without or have in another form. */
interface Setting {
  readonly part: RefusedPart;
  /** Its value in a call, as far as that is refused; undefined or false where the call has none. */
  valueIn(call: GatewayCall): unknown;
  isRefused(result: FailedCall): boolean;
  without(call: GatewayCall): GatewayCall;
}

/** Parts that may be refused by name. */
const NAMED: Readonly<Record<RequestPart, Setting['valueIn']>> = {
  reasoningEffort: ({ model, reasoningEffort }) => model.reasoningEffort && reasoningEffort,
  streamOptions: () => true,
  limitName: ({ outputTokensMax }) => outputTokensMax !== undefined,
  parallelToolCalls: ({ prompt }) => prompt.tools?.parallel !== undefined,
  // Where both are refused together, the temperature may do alone.
  topP: ({ sampling: { temperature, topP } = {} }) => topP !== undefined && [temperature !== undefined],
  temperature: ({ sampling }) => sampling?.temperature !== undefined,
  reasoning: ({ prompt: { turns } }) => turns.some(({ reasoning }) => reasoning),
  names: ({ prompt: { turns } }) => turns.some(({ name }) => name !== undefined),
  turnsInARow: ({ prompt: { turns } }) => turns.some(({ role }, at) => role === (turns[at - 1]?.role ?? 'assistant')),
};

function named(part: RequestPart): Setting {
  return {
    part,
    valueIn: (call) => !call.without?.includes(part) && NAMED[part](call),
    isRefused: ({ cause }) => cause instanceof ModelFault && cause.refuses.includes(part),
    without: (call) => ({ ...call, without: [...(call.without ?? []), part] }),
  };
}

/** What is refused by name goes before what may have been meant. */
const SETTINGS: readonly Setting[] = [
  ...(Object.keys(NAMED) as RequestPart[]).map(named),
  {
    part: 'outputSchema',
    // Our own schemas by their names, a caller's by what it says.
    valueIn: ({ purpose, outputSchema, sampling }) =>
      outputSchema && [purpose === 'answer' ? outputSchema : outputSchema.name, sampling],
    isRefused: ({ fault }) => REMEDIES[fault] === 'plain',
    without: plainCall,
  },
  {
    // Some models have no search, and some accounts may not use it: their provider says so in words of its own.
    part: 'webSearch',
    valueIn: ({ prompt }) => prompt.webSearch,
    isRefused: ({ fault }) => REMEDIES[fault] === 'plain',
    without: ({ prompt: { webSearch: _search, ...prompt }, ...rest }) => ({ ...rest, prompt }),
  },
];

function refusedBy(result: CallResult, call: GatewayCall): Setting | undefined {
  if (result.ok || result.streamed || !isPaid(call)) return undefined;
  return SETTINGS.find((setting) => setting.valueIn(call) && setting.isRefused(result));
}

/** A 429 that does not say how long to wait may be a spending limit: asking again would not help. */
function pauseMsAfter({ fault, retryAfterSeconds, streamed, final = false }: FailedCall): number | undefined {
  if (streamed || final || REMEDIES[fault] !== 'same') return undefined;
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1_000;
  return fault === 'rate_limited' ? undefined : PAUSE_MS;
}

/** A provider that takes few calls at a time refuses others of the request before it begins them. */
function busyPauseMs(
  { fault, retryAfterSeconds = 0, isUnpaid = false, final = false }: FailedCall,
  retries: number,
): number {
  if (!BUSY.has(fault) || !isUnpaid || final) return Number.POSITIVE_INFINITY;
  return Math.max(retryAfterSeconds * 1_000, Math.min(BUSY_PAUSE_MS * 2 ** retries, BUSY_PAUSE_MAX_MS));
}

/** A model that nothing holds to the schema any more is not passed on piece by piece: its reply must be looked at first. */
function plainCall({ outputSchema: _schema, sampling, onText: _onText, ...plain }: GatewayCall): GatewayCall {
  // The answer's sampling is the caller's own wish, and is not what a schema is refused for.
  return plain.purpose === 'answer' && sampling ? { ...plain, sampling } : plain;
}

/** Key of a refused part: a caller's schema is long. */
function keyOf({ part, valueIn }: Setting, call: GatewayCall): string {
  return createHash('sha256')
    .update(JSON.stringify([call.model.id, part, valueIn(call)]))
    .digest('base64');
}
