/** What a study may spend: nothing is begun that could pass the cap, with all that is under way. */
export class Wallet {
  readonly #capNanoUsd: number;
  #spentNanoUsd: number;
  #reservedNanoUsd = 0;

  constructor(capNanoUsd: number, spentNanoUsd: number) {
    this.#capNanoUsd = capNanoUsd;
    this.#spentNanoUsd = spentNanoUsd;
  }

  get spentNanoUsd(): number {
    return this.#spentNanoUsd;
  }

  /** Sets aside what a call may cost at most; false where it could pass the cap. */
  reserve(nanoUsd: number): boolean {
    if (this.#spentNanoUsd + this.#reservedNanoUsd + nanoUsd > this.#capNanoUsd) return false;
    this.#reservedNanoUsd += nanoUsd;
    return true;
  }

  /** A call is over that `reservedNanoUsd` was set aside for. */
  settle(reservedNanoUsd: number, costNanoUsd: number): void {
    this.#reservedNanoUsd -= reservedNanoUsd;
    this.#spentNanoUsd += costNanoUsd;
  }
}
