/** Gives a slot back; calling it twice does nothing. */
export type Release = () => void;

/** Lets one waiter in. */
type Admit = () => void;

/**
 * So many slots for many owners. When all are taken the owners wait in turn, each of them for one slot at a time: an
 * owner with sixteen tasks does not keep one with a single task waiting for all of them.
 */
export class FairSlots {
  /** Owners in the order of their turns; within an owner first come, first served. */
  readonly #waiting = new Map<string, Admit[]>();
  #free: number;

  constructor(slots: number) {
    this.#free = slots;
  }

  /** A slot, if one is free now. */
  tryTake(): Release | undefined {
    if (this.#free === 0) return undefined;
    this.#free -= 1;
    return this.#release();
  }

  /** Runs a task of an owner that does not matter in a slot, after those that came before. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    const release = this.tryTake() ?? (await this.wait(''));
    try {
      return await task();
    } finally {
      release?.();
    }
  }

  /** A slot when it is `owner`'s turn; undefined when `signal` aborts before. */
  wait(owner: string, signal?: AbortSignal): Promise<Release | undefined> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(undefined);
      const leave = (): void => {
        this.#remove(owner, admit);
        resolve(undefined);
      };
      const admit = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve(this.#release());
      };
      signal?.addEventListener('abort', leave, { once: true });
      const line = this.#waiting.get(owner) ?? [];
      line.push(admit);
      this.#waiting.set(owner, line);
    });
  }

  #release(): Release {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      const next = this.#next();
      if (next) next();
      else this.#free += 1;
    };
  }

  /** The first waiter of the owner whose turn it is; that owner then goes to the end of the line. */
  #next(): Admit | undefined {
    const turn = this.#waiting.entries().next();
    if (turn.done) return undefined;
    const [owner, line] = turn.value;
    const admit = line.shift();
    this.#waiting.delete(owner);
    if (line.length > 0) this.#waiting.set(owner, line);
    return admit;
  }

  #remove(owner: string, admit: Admit): void {
    const line = this.#waiting.get(owner)?.filter((other) => other !== admit) ?? [];
    if (line.length > 0) this.#waiting.set(owner, line);
    else this.#waiting.delete(owner);
  }
}
