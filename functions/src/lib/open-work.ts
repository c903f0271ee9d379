/** Work under way in a process; once it is to end nothing new is begun, and the end waits for what runs. */
export class OpenWork {
  readonly #stop = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  #count = 0;

  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  get count(): number {
    return this.#count;
  }

  /** Notes that something begins; call what it returns, once, when that is over. */
  begin(): () => void {
    this.#count += 1;
    return () => {
      this.#count -= 1;
      this.#endWhenOver();
    };
  }

  /** Does some work that the end of the process waits for. Rejects when the process is to end already. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.stopping.throwIfAborted();
    const end = this.begin();
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Asks everything to stop; resolves once nothing is under way any more. */
  stop(): Promise<void> {
    this.#stop.abort();
    this.#endWhenOver();
    return this.#over.promise;
  }

  #endWhenOver(): void {
    if (this.#count === 0 && this.stopping.aborted) this.#over.resolve();
  }
}
