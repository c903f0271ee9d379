import type { Clock } from '../../lib/clock';
import { ModelFault, type ModelFaultKind } from '../model-fault';

/** Silence allowed to an attempt that has begun to write. An SDK's own timeout ends when headers arrive. */
const IDLE_MS = 90_000;

/** Limits of an attempt, milliseconds. */
export interface AttemptLimits {
  readonly totalMs: number;
  /** Silence allowed before its first text. */
  readonly firstEventMs: number;
}

/** Guard of one attempt. */
export type Watchdog = ReturnType<typeof watch>;

/** Guards one attempt: aborts it when it is silent too long, takes longer than `totalMs`, or when its caller gives up. */
export function watch(clock: Clock, { totalMs, firstEventMs }: AttemptLimits, parent: AbortSignal) {
  const controller = new AbortController();
  const endsAtMs = clock.monotonicMs() + totalMs;
  let silentUntilMs = clock.monotonicMs() + firstEventMs;
  let wrote = false;
  let ended = false;
  let cancel = schedule();
  const onParentAbort = (): void => end('aborted');
  if (parent.aborted) onParentAbort();
  else parent.addEventListener('abort', onParentAbort, { once: true });

  function leftMs(): number {
    return Math.max(0, Math.min(silentUntilMs, endsAtMs) - clock.monotonicMs());
  }

  function schedule(): () => void {
    // No later than a text that comes next can end it: a text sets no timer.
    return clock.after(Math.min(leftMs(), IDLE_MS), check);
  }

  function check(): void {
    if (leftMs() === 0) end('timeout');
    else cancel = schedule();
  }

  function end(fault: ModelFaultKind): void {
    stop();
    controller.abort(new ModelFault(fault));
  }

  function stop(): void {
    ended = true;
    cancel();
    parent.removeEventListener('abort', onParentAbort);
  }

  return {
    /** Its reason is a `ModelFault`: `timeout`, `aborted`, or what it was cut for. */
    signal: controller.signal,
    // Functions, not accessors: V8 makes a hidden class of its own for each object whose accessors are closures.
    isOver: (): boolean => ended,
    /** Ends it for another reason. */
    cut: end,
    /** A sign of life that is no text. */
    alive: (): void => {
      silentUntilMs = clock.monotonicMs() + (wrote ? IDLE_MS : firstEventMs);
    },
    /** Text arrived. Cheap: the timer looks at the time only when it fires. */
    touch: (): void => {
      wrote = true;
      silentUntilMs = clock.monotonicMs() + IDLE_MS;
    },
    /** The reader is slow: silence does not count until the next touch. */
    hold: (): void => {
      silentUntilMs = Number.POSITIVE_INFINITY;
    },
    stop,
  };
}
