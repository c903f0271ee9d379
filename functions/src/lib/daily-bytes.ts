import type { Clock } from './clock';
import { Lru } from './lru';

const DAY_MS = 24 * 60 * 60_000;
const OWNERS_MAX = 10_000;

/** So many bytes a day for each owner, counted in this process; a day begins with the first of them. */
export class DailyBytes {
  readonly #days = new Lru<string, { readonly beganAtMs: number; readonly bytes: number }>(OWNERS_MAX);
  readonly #max: number;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(max: number, clock: Pick<Clock, 'nowMs'>) {
    this.#max = max;
    this.#clock = clock;
  }

  /** Takes some of an owner's; false, and nothing is taken, when the day has not so many left. */
  take(owner: string, bytes: number): boolean {
    const nowMs = this.#clock.nowMs();
    const known = this.#days.get(owner);
    const { beganAtMs, bytes: taken } =
      known && nowMs - known.beganAtMs < DAY_MS ? known : { beganAtMs: nowMs, bytes: 0 };
    if (taken + bytes > this.#max) return false;
    this.#days.set(owner, { beganAtMs, bytes: taken + bytes });
    return true;
  }
}
