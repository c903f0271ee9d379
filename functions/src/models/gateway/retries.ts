import { type Clock, sleep } from '../../lib/clock';
import { type ModelFaultKind, REMEDIES } from '../model-fault';
import type { CallResult, FailedCall, GatewayCall } from './gateway-call';

/** Pause before the same question is asked again, unless the provider says how long it is to be. */
const PAUSE_MS = 250;
const BUSY: ReadonlySet<ModelFaultKind> = new Set(['rate_limited', 'overloaded']);
/** First of the growing pauses before a provider that serves other calls of the request is asked again, and the longest. */
const BUSY_PAUSE_MS = 500;
const BUSY_PAUSE_MAX_MS = 16_000;
/** With less time than this left, asking the same again is not worth its tokens. */
const SAME_AGAIN_MIN_MS = 2_000;

/** True of a provider that takes no more for a while. */
export function isBusy({ fault }: Pick<FailedCall, 'fault'>): boolean {
  return BUSY.has(fault);
}

/** True where the same question in fewer words may be answered. Only its author can shorten it. */
export function shorterMayHelp(result: CallResult): boolean {
  return !result.ok && !result.streamed && REMEDIES[result.fault] === 'shorter';
}

/** True of a request that may have been refused for one of its parts, without naming it. */
export function plainMayHelp({ fault }: FailedCall): boolean {
  return REMEDIES[fault] === 'plain';
}

/** True of a failure that the same question will have again. */
export function isForGood({ fault }: Pick<FailedCall, 'fault'>): boolean {
  return REMEDIES[fault] !== 'same' && REMEDIES[fault] !== 'none';
}

/** A failed attempt: how often its question was repeated before, and what its provider had answered when it began. */
interface FailedAttempt {
  readonly result: FailedCall;
  readonly retries: number;
  readonly answeredBefore: number;
  readonly endsAtMs: number;
}

/** Waits until the same call may be made again: once, and as long as a busy provider serves other calls of the request. */
export async function waitToRepeat(clock: Clock, call: GatewayCall, failed: FailedAttempt): Promise<boolean> {
  const { scope, signal, model, purpose, mayAskAgain = () => true, mayWait = () => true } = call;
  const { result, retries, answeredBefore, endsAtMs } = failed;
  const leftMs = endsAtMs - clock.monotonicMs() - SAME_AGAIN_MIN_MS;
  if (result.streamed || result.final || REMEDIES[result.fault] !== 'same' || !mayAskAgain()) return false;
  const fits = (waitMs: number): boolean => waitMs <= leftMs && mayWait(waitMs);
  const onceMs = oncePauseMs(result);
  // The answer may always be tried twice.
  if (retries === 0 && fits(onceMs) && (purpose === 'answer' || scope.retries.take())) {
    await sleep(clock, onceMs, signal);
    return !signal.aborted;
  }
  const service = scope.retries.serviceAt(model.provider);
  const isServing = (): boolean => service.underWay > 0 || service.answered > answeredBefore;
  const busyMs = busyPauseMs(result, retries);
  if (!fits(busyMs) || !isServing()) return false;
  call.onWait?.(true);
  await sleep(clock, busyMs, signal);
  call.onWait?.(false);
  // Others that were under way may have been refused, too.
  return isServing() && !signal.aborted;
}

/** A 429 that does not say how long to wait may be a spending limit: asking again would not help. */
function oncePauseMs({ fault, retryAfterSeconds }: FailedCall): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds * 1_000;
  return fault === 'rate_limited' ? Number.POSITIVE_INFINITY : PAUSE_MS;
}

/** A provider that takes few calls at a time refuses others of the request before it begins them. */
function busyPauseMs({ fault, retryAfterSeconds = 0, isUnpaid = false }: FailedCall, retries: number): number {
  if (!isBusy({ fault }) || !isUnpaid) return Number.POSITIVE_INFINITY;
  return Math.max(retryAfterSeconds * 1_000, Math.min(BUSY_PAUSE_MS * 2 ** retries, BUSY_PAUSE_MAX_MS));
}
