/** Names of texts are shorter; what runs on behind a number for longer is a sentence. */
const NAME_CHARACTERS_MAX = 100;
/** The angle brackets on either side of a number, in a fence or a garbled one. */
const BRACKETS_MAX = 4;

/**
 * Takes the number of a request's fences out of a text that comes in pieces, with the brackets around it; what a fence
 * names stays. Nobody can come by that number but from a prompt. What comes out does not depend on how the text was cut,
 * and no more is held back than may still become a fence. Linear.
 */
export class FenceNumbers {
  readonly #fence: RegExp;
  readonly #begun: RegExp;
  readonly #longest: number;
  #held = '';

  /** `nonce` is that of `fenceNonce`: hexadecimal digits. */
  constructor(nonce: string) {
    const opening = `(?:<{1,${BRACKETS_MAX}}[ \\t]?)?`;
    const name = `(?:(?!${nonce})[^<>\\n]){0,${NAME_CHARACTERS_MAX}}`;
    const closing = `>{0,${BRACKETS_MAX}}`;
    const digits = [...nonce].reduceRight((rest, digit) => `(?:${digit}${rest})?`, '');
    this.#fence = new RegExp(`${opening}${nonce}(?:[ \\t](${name})>>|[ \\t]?${closing})`, 'gi');
    this.#begun = new RegExp(`${opening}(?:${nonce}(?:[ \\t]${name})?${closing}|${digits})$`, 'i');
    this.#longest = nonce.length + NAME_CHARACTERS_MAX + 2 * BRACKETS_MAX + 2;
  }

  /** Takes the next piece; returns what can be passed on. */
  read(piece: string): string {
    this.#held += piece;
    const from = Math.max(0, this.#held.length - this.#longest);
    return this.#passOn(from + this.#held.slice(from).search(this.#begun));
  }

  /** The text has ended; returns the rest of it. */
  end(): string {
    return this.#passOn(this.#held.length);
  }

  #passOn(to: number): string {
    const text = this.#held.slice(0, to);
    this.#held = this.#held.slice(to);
    return text.replace(this.#fence, (_, name: string | undefined) => name ?? '');
  }
}
