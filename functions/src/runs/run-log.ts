/**
 * The trace of a run that is played in this process: its events as JSON, each at the place of its `seq`, shared by all who
 * read it. A reader takes what it has not seen yet and waits for more, so a slow one costs nothing here.
 */
export class RunLog {
  readonly #events: string[] = [];
  #waiting: PromiseWithResolvers<void> | undefined;
  #isOver = false;

  /** How many events there are; the `seq` of the next. */
  get length(): number {
    return this.#events.length;
  }

  /** Set once the last event is there. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The events from `from` on: of many the first, with so many characters at most, and one at least. */
  slice(from: number, charactersMax: number): readonly string[] {
    let characters = 0;
    let to = from;
    while (to < this.#events.length) {
      characters += this.#events[to]?.length ?? 0;
      if (to > from && characters > charactersMax) break;
      to += 1;
    }
    return this.#events.slice(from, to);
  }

  push(...events: readonly string[]): void {
    this.#events.push(...events);
    this.#wake();
  }

  /** Nothing comes any more. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Resolves with the next event, or the end. */
  changed(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    this.#waiting ??= Promise.withResolvers<void>();
    return this.#waiting.promise;
  }

  #wake(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
