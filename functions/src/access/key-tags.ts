import type { Clock } from '../lib/clock';
import { hasTag, type Pepper } from './api-key';
import type { KeyTagStore } from './key-store';

/** Shortest time between two readings of the stored tag keys. */
const REFRESH_MS = 10 * 60_000;

/**
 * Tells keys that were issued from made-up ones without looking for the key itself. Keys made under a live pepper are
 * known by that pepper alone. Those made under a retired one are known by its tag key, which the store keeps
 * (ADR 12): it is read when the first key comes whose tag is of no live pepper, and then at most every ten minutes.
 */
export class KeyTags {
  readonly #store: KeyTagStore;
  readonly #clock: Clock;
  readonly #live: readonly string[];
  #stored: Promise<readonly string[]> | undefined;
  #readMs = 0;

  constructor(store: KeyTagStore, peppers: readonly Pepper[], clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#live = peppers.map(({ tagKey }) => tagKey);
  }

  /** Resolves true for a well-formed key that was issued. Where its tag is of no live pepper it rejects as the store does. */
  async fit(key: string): Promise<boolean> {
    return hasTag(key, this.#live) || hasTag(key, await this.#storedTagKeys());
  }

  #storedTagKeys(): Promise<readonly string[]> {
    const askedMs = this.#clock.monotonicMs();
    if (!this.#stored || askedMs - this.#readMs >= REFRESH_MS) {
      const reading = this.#store.listTagKeys();
      this.#stored = reading;
      this.#readMs = askedMs;
      // Who waits for it learns why it failed; who comes later tries again.
      reading.catch(() => {
        if (this.#stored === reading) this.#stored = undefined;
      });
    }
    return this.#stored;
  }
}
