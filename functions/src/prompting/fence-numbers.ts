/** Names of texts are shorter; what runs on behind a number for longer is a sentence. */
const NAME_CHARACTERS_MAX = 100;
/** The angle brackets on either side of a number, in a fence or a garbled one. */
const BRACKETS_MAX = 4;

/** What may stand before a number, at the end of a text. */
const OPENING_AT_END = new RegExp(`<{1,${BRACKETS_MAX}}[ \\t]?$`);
const OPENING_CHARACTERS_MAX = BRACKETS_MAX + 1;

/**
 * Takes the number of a request's fences out of a text that comes in pieces, with the brackets around it; what a fence
 * names stays. Nobody can come by that number but from a prompt. What comes out does not depend on how the text was cut,
 * and no more is held back than may still become a fence. Linear.
 */
export class FenceNumbers {
  readonly #nonce: string;
  readonly #longest: number;
  /** Made for a text that holds the number: each request has its own, and to compile it takes longer than to read a text. */
  #patterns: FencePatterns | undefined;
  #held = '';

  /** `nonce` is that of `fenceNonce`: hexadecimal digits. */
  constructor(nonce: string) {
    this.#nonce = nonce;
    this.#longest = nonce.length + NAME_CHARACTERS_MAX + 2 * BRACKETS_MAX + 2;
  }

  /** Takes the next piece; returns what can be passed on. */
  read(piece: string): string {
    this.#held += piece;
    const from = Math.max(0, this.#held.length - this.#longest);
    const end = this.#held.slice(from);
    return this.#passOn(from + (this.#isIn(end) ? end.search(this.#patternsOf().begun) : this.#begunAt(end)));
  }

  /** The text has ended; returns the rest of it. */
  end(): string {
    return this.#passOn(this.#held.length);
  }

  #passOn(to: number): string {
    const text = this.#held.slice(0, to);
    this.#held = this.#held.slice(to);
    if (!this.#isIn(text)) return text;
    return text.replace(this.#patternsOf().fence, (_, name: string | undefined) => name ?? '');
  }

  #isIn(text: string): boolean {
    return text.toLowerCase().includes(this.#nonce);
  }

  /** Where the beginning of a fence begins at the end of a text without the whole number. */
  #begunAt(text: string): number {
    const last = text.slice(-this.#nonce.length).toLowerCase();
    let begun = text.length;
    for (let digits = 0; digits < this.#nonce.length; digits += 1) {
      if (!last.endsWith(this.#nonce.slice(0, digits))) continue;
      const to = text.length - digits;
      const from = Math.max(0, to - OPENING_CHARACTERS_MAX);
      const opening = text.slice(from, to).search(OPENING_AT_END);
      begun = Math.min(begun, opening < 0 ? to : from + opening);
    }
    return begun;
  }

  #patternsOf(): FencePatterns {
    this.#patterns ??= patternsOf(this.#nonce);
    return this.#patterns;
  }
}

interface FencePatterns {
  /** A whole one, or its number. */
  readonly fence: RegExp;
  /** One at the end of a text, or its beginning. */
  readonly begun: RegExp;
}

function patternsOf(nonce: string): FencePatterns {
  const opening = `(?:<{1,${BRACKETS_MAX}}[ \\t]?)?`;
  const name = `(?:(?!${nonce})[^<>\\n]){0,${NAME_CHARACTERS_MAX}}`;
  const closing = `>{0,${BRACKETS_MAX}}`;
  const digits = [...nonce].reduceRight((rest, digit) => `(?:${digit}${rest})?`, '');
  return {
    fence: new RegExp(`${opening}${nonce}(?:[ \\t](${name})>>|[ \\t]?${closing})`, 'gi'),
    begun: new RegExp(`${opening}(?:${nonce}(?:[ \\t]${name})?${closing}|${digits})$`, 'i'),
  };
}
