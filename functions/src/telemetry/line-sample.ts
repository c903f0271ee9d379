import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';

const LINES_A_MINUTE = 5;
const MINUTE_MS = 60_000;

/**
 * Rate-limits log lines of unauthenticated requests: the first five of a status in each minute get one. The others are counted in
 * one line when the minute is over.
 */
export function createLineSample({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
  const counts = new Map<number, number>();
  return (status: number): boolean => {
    const count = (counts.get(status) ?? 0) + 1;
    counts.set(status, count);
    if (count === 1) clock.after(MINUTE_MS, () => endMinute(status));
    return count <= LINES_A_MINUTE;
  };

  function endMinute(status: number): void {
    const requests = (counts.get(status) ?? 0) - LINES_A_MINUTE;
    counts.delete(status);
    if (requests > 0) log.info('requests not logged one by one', { status, requests });
  }
}
