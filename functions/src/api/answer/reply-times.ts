/**
 * The milliseconds that replies are known by. Clients drop a message whose id they have already, as LangGraph does, so two
 * requests of one millisecond get two: the later one gets the next.
 */
export class ReplyTimes {
  #lastMs = 0;

  of(startedAtMs: number): number {
    this.#lastMs = Math.max(startedAtMs, this.#lastMs + 1);
    return this.#lastMs;
  }
}
