/** Runs work for one key after another and for different keys side by side. */
export class Serial {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Starts `work` when all that was queued before it under `key` has ended, however it ended; at once without a key. */
  run<T>(key: string | undefined, work: () => Promise<T>): Promise<T> {
    if (key === undefined) return work();
    const before = this.#tails.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    this.#tails.set(key, result);
    const done = (): void => {
      if (this.#tails.get(key) === result) this.#tails.delete(key);
    };
    result.then(done, done);
    return result;
  }
}
