/** A request may make so many of its calls again … */
const RETRIES_MIN = 2;
/** … and besides, this share of all of them. */
const RETRIES_SHARE = 0.1;

/** How many calls of one request may be made again: when many fail at once, repeating them all makes it worse. */
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
