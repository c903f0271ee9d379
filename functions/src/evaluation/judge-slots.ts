import { Semaphore } from '../lib/semaphore';
import type { ProviderId } from '../models/catalog';

/** How many judge calls of one request may run at once, and how many of them at one provider. */
export const CALLS_AT_ONCE_MAX = 16;
const CALLS_A_PROVIDER_MAX = 8;

/** Holds the calls of one request to both limits, each in the order they came. */
export class JudgeSlots {
  readonly #all = new Semaphore(CALLS_AT_ONCE_MAX);
  readonly #providers = new Map<ProviderId, Semaphore>();

  /** Runs one call when there is room. It waits for its provider first, so that it blocks no other provider's calls. */
  run<T>(provider: ProviderId, task: () => Promise<T>): Promise<T> {
    const own = this.#providers.get(provider) ?? new Semaphore(CALLS_A_PROVIDER_MAX);
    this.#providers.set(provider, own);
    return own.run(() => this.#all.run(task));
  }
}
