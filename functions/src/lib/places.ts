/** Places of which each owner has so many at a time. */
export class Places {
  readonly #taken = new Map<string, number>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a place of an owner's; returns what gives it back, once however often it is called. Undefined: there is none. */
  take(owner: string): (() => void) | undefined {
    const taken = this.#taken.get(owner) ?? 0;
    if (taken >= this.#max) return undefined;
    this.#taken.set(owner, taken + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#giveBack(owner);
      isTaken = false;
    };
  }

  #giveBack(owner: string): void {
    const left = (this.#taken.get(owner) ?? 1) - 1;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
  }
}
