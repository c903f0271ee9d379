import { lazy } from '../lib/lazy';

/** Names of texts are shorter; what runs on behind a number for longer is a sentence. */
const NAME_CHARACTERS_MAX = 100;
/** The angle brackets on either side of a number, in a fence or a garbled one. */
const BRACKETS_MAX = 4;

/** A letter or digit beside a number makes it part of something else: a hash, a hex dump. */
const WORD = '[0-9a-z]';
const WORD_AT_END = new RegExp(`${WORD}$`, 'i');
/** Stands before what is held where that goes on a word: a letter that is in no number. */
const WORD_BEFORE = 'z';
/** Stands before a number: brackets, or the beginning of a word. */
const OPENING = `(?:<{1,${BRACKETS_MAX}}[ \\t]?|(?<!${WORD}))`;
/** Digits at the end of a text that may be the beginning of a number. */
const DIGITS_AT_END = new RegExp(`${OPENING}([0-9a-f]*)$`, 'i');

/**
 * Takes the number of a request's fences out of a text that comes in pieces, with the brackets around it; what a fence
 * names stays, and so does a longer run of letters and digits. What comes out does not depend on how the text was cut,
 * and no more is held back than may still become a fence. Linear.
 */
export class FenceNumbers {
  readonly #nonce: string;
  readonly #longest: number;
  /** Made for a text that holds the number: each request has its own, and to compile it takes longer than to read a text. */
  readonly #patterns: () => ReturnType<typeof patternsOf>;
  #held = '';
  #before = '';

  /** `nonce` is that of `fenceNonce`: hexadecimal digits. */
  constructor(nonce: string) {
    this.#nonce = nonce;
    this.#longest = nonce.length + NAME_CHARACTERS_MAX + 2 * BRACKETS_MAX + 2;
    this.#patterns = lazy(() => patternsOf(nonce));
  }

  /** Takes the next piece; returns what can be passed on. */
  read(piece: string): string {
    this.#held += piece;
    const from = Math.max(0, this.#held.length - this.#longest);
    const end = this.#held.slice(from);
    const whole = this.#isIn(end) ? end.search(this.#patterns().atEnd) : -1;
    return this.#passOn(from + (whole < 0 ? this.#begunAt(end) : whole));
  }

  /** The text has ended; returns the rest of it. */
  end(): string {
    return this.#passOn(this.#held.length);
  }

  #passOn(to: number): string {
    const text = this.#held.slice(0, to);
    if (text === '') return '';
    const before = this.#before;
    this.#held = this.#held.slice(to);
    this.#before = WORD_AT_END.test(text.slice(-1)) ? WORD_BEFORE : '';
    if (!this.#isIn(text)) return text;
    const left = `${before}${text}`.replace(this.#patterns().fence, (_, name: string | undefined) => name ?? '');
    return left.slice(before.length);
  }

  #isIn(text: string): boolean {
    return text.toLowerCase().includes(this.#nonce);
  }

  /** Index of an unfinished fence number at the end of a text; the text's length without one. */
  #begunAt(text: string): number {
    const begun = DIGITS_AT_END.exec(text);
    return begun?.[1] !== undefined && this.#nonce.startsWith(begun[1].toLowerCase()) ? begun.index : text.length;
  }
}

/** A fence or its number, and one at the end of a text, which may go on. */
function patternsOf(nonce: string): Readonly<Record<'fence' | 'atEnd', RegExp>> {
  const number = `${OPENING}${nonce}(?!${WORD})`;
  const name = `(?:(?!${nonce})[^<>\\n]){0,${NAME_CHARACTERS_MAX}}`;
  const closing = `>{0,${BRACKETS_MAX}}`;
  return {
    fence: new RegExp(`${number}(?:[ \\t](${name})>>|[ \\t]?${closing})`, 'gi'),
    atEnd: new RegExp(`${number}(?:[ \\t]${name})?${closing}$`, 'i'),
  };
}
