/** So many pieces are joined: one by one they take ten times the memory of their text. */
const PIECES_MAX = 256;

/** The text of a reply as it grows. */
export class ReplyText {
  #joined = '';
  readonly #pieces: string[] = [];

  add(piece: string): void {
    this.#pieces.push(piece);
    if (this.#pieces.length >= PIECES_MAX) this.#join();
  }

  /** All of it so far. */
  toString(): string {
    this.#join();
    return this.#joined;
  }

  #join(): void {
    this.#joined += this.#pieces.splice(0).join('');
  }
}
