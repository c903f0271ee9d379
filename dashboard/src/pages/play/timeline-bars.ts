import type { Call, RunState } from '../../run/run-state';
import { MS_A_SECOND } from '../../ui/time-units';

/** A call as a bar; places and lengths are shares of the whole time, from 0 to 1. */
export interface Bar {
  readonly id: string;
  readonly state: Call['state'];
  readonly from: number;
  readonly length: number;
  /** The place within the bar at which the first text came. */
  readonly first?: number;
  /** The part of the bar for which it waited to be put. */
  readonly waited: number;
}

const STEPS_S = [5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 540, 720, 900];

/** The time that the whole width stands for: of a run that goes on a round one, so that it seldom changes. */
export function spanOf({ end, atMs }: RunState, elapsedMs: number): number {
  if (end) return Math.max(atMs, 1);
  const step = STEPS_S.find((seconds) => seconds * MS_A_SECOND > elapsedMs);
  return step === undefined ? elapsedMs : step * MS_A_SECOND;
}

/** The bars of these calls. */
export function barsOf(calls: readonly Call[], elapsedMs: number, spanMs: number): Bar[] {
  return calls.map(({ id, state, queuedAtMs, endedAtMs, attempts }) => {
    const lengthMs = Math.max(0, (endedAtMs ?? elapsedMs) - queuedAtMs);
    const share = (atMs: number): number => (lengthMs === 0 ? 0 : Math.min(1, (atMs - queuedAtMs) / lengthMs));
    const firstAtMs = attempts.at(-1)?.firstAtMs;
    return {
      id,
      state,
      from: queuedAtMs / spanMs,
      length: lengthMs / spanMs,
      waited: share(attempts[0]?.startedAtMs ?? elapsedMs),
      ...(firstAtMs !== undefined && { first: share(firstAtMs) }),
    };
  });
}

/** Puts calls that overlap into rows of their own. */
export function rowsOf(calls: readonly Call[]): Call[][] {
  const rows: Call[][] = [];
  for (const call of calls) {
    const free = rows.find((row) => {
      const endedAtMs = row.at(-1)?.endedAtMs;
      return endedAtMs !== undefined && endedAtMs <= call.queuedAtMs;
    });
    if (free) free.push(call);
    else rows.push([call]);
  }
  return rows;
}
