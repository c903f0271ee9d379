/** Every request may retry this often … */
const RETRIES_MIN = 2;
/** … and this share of its calls besides (reference: reliability §8). */
const RETRIES_SHARE = 0.1;

/** How many calls of one request may be made again: when many fail at once, retrying them all makes it worse. */
export class RetryBudget {
  #calls = 0;
  #retries = 0;

  /** A call is made for the first time. */
  called(): void {
    this.#calls += 1;
  }

  /** Takes one retry; false when there is none left. */
  take(): boolean {
    if (this.#retries >= RETRIES_MIN + Math.floor(this.#calls * RETRIES_SHARE)) return false;
    this.#retries += 1;
    return true;
  }
}
