import type { Clock } from './clock';

const DAY_MS = 24 * 60 * 60_000;

/** Takes bytes of an owner's; false, and none are taken, where its UTC day has not so many left. */
export function dailyBytes(max: number, clock: Pick<Clock, 'nowMs'>): (owner: string, bytes: number) => boolean {
  const taken = new Map<string, number>();
  let today = 0;
  return (owner, bytes) => {
    const day = Math.floor(clock.nowMs() / DAY_MS);
    if (day !== today) taken.clear();
    today = day;
    const sum = (taken.get(owner) ?? 0) + bytes;
    if (sum <= max) taken.set(owner, sum);
    return sum <= max;
  };
}
