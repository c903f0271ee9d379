/** Finds marks, one after the other, in a text that comes in pieces. Each character is read once or twice. */
export class MarkSearch {
  readonly #marks: readonly string[];
  readonly #exact: boolean;
  #found = 0;
  /** The end of what was read: a mark may have begun there. */
  #tail = '';

  /** The marks are in small letters; unless they are `exact`, large ones count as the same. */
  constructor(marks: readonly string[], { exact = false } = {}) {
    this.#marks = marks;
    this.#exact = exact;
  }

  /** Text behind the last mark; undefined while it has not come. */
  after(piece: string): string | undefined {
    let text = this.#tail + piece;
    for (let mark = this.#marks[this.#found]; mark !== undefined; mark = this.#marks[this.#found]) {
      const at = (this.#exact ? text : lowerCase(text)).indexOf(mark);
      if (at < 0) {
        this.#tail = text.slice(Math.max(0, text.length - mark.length + 1));
        return undefined;
      }
      text = text.slice(at + mark.length);
      this.#found += 1;
    }
    return text;
  }
}

/** Small letters, each in the place of its large one: `toLowerCase` makes some characters longer. */
export function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
