/** The bytes one piece of work holds, of a budget; none at first. Must be released. */
export interface ByteShare {
  /** Holds so many from now on, more or less than before; false, and nothing changes, when there is no room for them. */
  hold(bytes: number): boolean;
  release(): void;
}

/** So many bytes for many owners, at once or not at all: one alone has half at most, two a third each. */
export class ByteBudget {
  readonly #held = new Map<string, number>();
  #free: number;

  constructor(bytes: number) {
    this.#free = bytes;
  }

  /** True where `owner` could have so many more. */
  hasRoomFor(owner: string, bytes: number): boolean {
    return (this.#held.get(owner) ?? 0) + bytes <= this.#free - bytes;
  }

  shareOf(owner: string): ByteShare {
    let held = 0;
    const hold = (bytes: number): boolean => {
      const more = bytes - held;
      if (more > 0 && !this.hasRoomFor(owner, more)) return false;
      this.#take(owner, more);
      held = bytes;
      return true;
    };
    return { hold, release: () => void hold(0) };
  }

  #take(owner: string, bytes: number): void {
    this.#free -= bytes;
    const held = (this.#held.get(owner) ?? 0) + bytes;
    if (held === 0) this.#held.delete(owner);
    else this.#held.set(owner, held);
  }
}
