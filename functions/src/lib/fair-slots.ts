/** Gives a slot back; calling it twice does nothing. */
export type Release = () => void;

type Admit = () => void;

/** So many slots for many owners, who wait in turn for one at a time: sixteen tasks of one do not hold up another's. */
export class FairSlots {
  /** Owners in the order of their turns; within an owner first come, first served. */
  readonly #waiting = new Map<string, Admit[]>();
  readonly #held = new Map<string, number>();
  readonly #leavesFree: boolean;
  readonly #ownMax: number;
  #free: number;

  /** No owner has more than `ownMax`; with `leavesFree` none has more than are free: one alone has half. */
  constructor(slots: number, { leavesFree = false, ownMax = slots } = {}) {
    this.#free = slots;
    this.#leavesFree = leavesFree;
    this.#ownMax = ownMax;
  }

  tryTake(owner = ''): Release | undefined {
    return this.#hasRoomFor(owner) ? this.#take(owner) : undefined;
  }

  async run<T>(task: () => Promise<T>, owner = ''): Promise<T> {
    const release = this.tryTake(owner) ?? (await this.wait(owner));
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
        resolve(this.#take(owner));
      };
      signal?.addEventListener('abort', leave, { once: true });
      const line = this.#waiting.get(owner) ?? [];
      line.push(admit);
      this.#waiting.set(owner, line);
    });
  }

  #hasRoomFor(owner: string): boolean {
    const held = this.#held.get(owner) ?? 0;
    return held < this.#ownMax && (this.#leavesFree ? held : 0) < this.#free;
  }

  #take(owner: string): Release {
    this.#free -= 1;
    this.#held.set(owner, (this.#held.get(owner) ?? 0) + 1);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.#giveBack(owner);
    };
  }

  #giveBack(owner: string): void {
    this.#free += 1;
    const held = (this.#held.get(owner) ?? 0) - 1;
    if (held > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
    // One slot more can make room for several owners, each of which was one short.
    for (let admit = this.#next(); admit; admit = this.#next()) admit();
  }

  /** The first waiter of the first owner there is a slot for; that owner then goes to the end of the line. */
  #next(): Admit | undefined {
    if (this.#free === 0) return undefined;
    for (const [owner, line] of this.#waiting) {
      if (!this.#hasRoomFor(owner)) continue;
      const admit = line.shift();
      this.#waiting.delete(owner);
      if (line.length > 0) this.#waiting.set(owner, line);
      return admit;
    }
    return undefined;
  }

  #remove(owner: string, admit: Admit): void {
    const line = this.#waiting.get(owner)?.filter((other) => other !== admit) ?? [];
    if (line.length > 0) this.#waiting.set(owner, line);
    else this.#waiting.delete(owner);
  }
}
