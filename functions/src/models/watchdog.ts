import type { Clock } from '../lib/clock';
import type { ModelFaultKind } from './model';

/** How long a call may stay silent, and how long it may take in all. */
export interface CallTimers {
  /** Until the first event of any kind. */
  readonly firstEventMs: number;
  /** Between two content events; keep-alives do not count (an SDK's own timeout ends when headers arrive). */
  readonly idleMs: number;
  readonly totalMs: number;
}

/** Guards one call: aborts it when it is silent too long, takes too long, or when its caller gives up. */
export interface Watchdog {
  readonly signal: AbortSignal;
  /** Why the call was ended; undefined while it was not. */
  readonly verdict: ModelFaultKind | undefined;
  /** A content event arrived; nothing once the watch has ended. Cheap: the timer looks at the time only when it fires. */
  touch(): void;
  /** The reader is slow: silence does not count until the next touch. */
  hold(): void;
  /** Ends the watch; must be called once the call is over. */
  stop(): void;
}

/** Starts the watch over one call. */
export function watch(clock: Clock, timers: CallTimers, parent: AbortSignal): Watchdog {
  const controller = new AbortController();
  const startedMs = clock.nowMs();
  const endsAtMs = startedMs + timers.totalMs;
  let silentUntilMs = startedMs + timers.firstEventMs;
  /** The next touch may bring the timer forward: it is set for the first event, or the reader is slow. */
  let loose = true;
  let stopped = false;
  let verdict: ModelFaultKind | undefined;
  let cancel = schedule();

  const onParentAbort = (): void => end('aborted');
  if (parent.aborted) end('aborted');
  else parent.addEventListener('abort', onParentAbort, { once: true });

  function schedule(): () => void {
    return clock.after(Math.max(0, Math.min(silentUntilMs, endsAtMs) - clock.nowMs()), check);
  }

  function check(): void {
    if (clock.nowMs() >= Math.min(silentUntilMs, endsAtMs)) end('timeout');
    else cancel = schedule();
  }

  function end(kind: ModelFaultKind): void {
    verdict ??= kind;
    stop();
    controller.abort();
  }

  function stop(): void {
    stopped = true;
    cancel();
    parent.removeEventListener('abort', onParentAbort);
  }

  return {
    signal: controller.signal,
    get verdict() {
      return verdict;
    },
    touch: () => {
      silentUntilMs = clock.nowMs() + timers.idleMs;
      if (!loose || stopped) return;
      loose = false;
      cancel();
      cancel = schedule();
    },
    hold: () => {
      silentUntilMs = Number.POSITIVE_INFINITY;
      loose = true;
    },
    stop,
  };
}
