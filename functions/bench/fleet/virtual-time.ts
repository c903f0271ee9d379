import type { CancelTimer, Clock } from '../../src/lib/clock';

interface Event {
  readonly atMs: number;
  fire: (() => void) | undefined;
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export type Random = () => number;

/** A source of random numbers that can be had again. */
export function randomOf(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A time that goes from event to event: minutes of a fleet in seconds, the same each time. */
export class VirtualTime {
  /** By time, those of one time in the order in which they were set. */
  readonly #events: Event[] = [];
  #nowMs = Date.UTC(2026, 0, 15, 12);

  /** With fractions. */
  get nowMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, fire: () => void): CancelTimer {
    const event: Event = { atMs: this.#nowMs + Math.max(0, delayMs), fire };
    let [low, high] = [0, this.#events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle]?.atMs ?? 0) <= event.atMs) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
    return () => {
      event.fire = undefined;
    };
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.after(delayMs, resolve));
  }

  /** The clock of a process, in whole milliseconds. */
  clock(random: Random): Clock {
    return {
      nowMs: () => Math.floor(this.#nowMs),
      monotonicMs: () => Math.floor(this.#nowMs),
      after: (delayMs, fire) => this.after(delayMs, fire),
      randomBytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256)),
    };
  }

  /** Plays until nothing is left to happen. */
  async play(): Promise<void> {
    for (;;) {
      // What an event set going ends before the next one: there is nothing but promises.
      await new Promise((resolve) => setImmediate(resolve));
      let event = this.#events.shift();
      while (event && !event.fire) event = this.#events.shift();
      if (!event) return;
      this.#nowMs = event.atMs;
      event.fire?.();
    }
  }
}
