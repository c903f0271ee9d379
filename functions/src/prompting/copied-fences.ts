/** Markup and quotation marks around a fence that has a line of its own. */
const MARKUP = '[ \\t\\r*_`>#"\'“”•-]{0,20}';
const LINE_START = '(?<![^\\n])';
/** Stands for the end of a reply; no character of any text. */
const END = '\ufdd0';
/** No fence with its markup is longer. */
const FENCE_CHARACTERS_MAX = 256;

/**
 * Takes the fences of one request out of a reply that comes in pieces: whole lines of them, and within a line all but the
 * name. What comes out does not depend on how the reply was cut; only what may still become a fence is held back. Linear.
 */
export class CopiedFences {
  readonly #fence: RegExp;
  readonly #begun: RegExp;
  #held = '';
  /** Stands before what is held where that goes on a line. */
  #before = '';

  /** `nonce` is that of `fenceNonce`: hexadecimal digits. */
  constructor(nonce: string) {
    const number = `<{1,4} ?${nonce}(?![0-9a-z])`;
    const name = '[^<>\\n]{0,100}';
    const whole = `${number}(?: ${name})?>{0,4}${MARKUP}`;
    const digits = [...nonce].reduceRight((rest, digit) => `(?:${digit}${rest})?`, '');
    this.#fence = new RegExp(`${LINE_START}${MARKUP}${whole}[\\n${END}]|${number}(?: (${name}))?>{0,4}`, 'gi');
    this.#begun = new RegExp(`(?:${LINE_START}${MARKUP})?(?:${whole}|(?:<{1,4} ?${digits})?)$`, 'gi');
  }

  /** Takes the next piece; returns what can be passed on. */
  read(piece: string): string {
    this.#held += piece;
    const text = this.#before + this.#held;
    this.#begun.lastIndex = Math.max(0, text.length - FENCE_CHARACTERS_MAX);
    return this.#passOn((this.#begun.exec(text)?.index ?? text.length) - this.#before.length);
  }

  /** The reply has ended; returns the rest of it. */
  end(): string {
    this.#held += END;
    return this.#passOn(this.#held.length).replace(/\ufdd0$/, '');
  }

  #passOn(to: number): string {
    if (to <= 0) return '';
    const text = this.#held.slice(0, to);
    const left = (this.#before + text).replace(this.#fence, '$1').slice(this.#before.length);
    this.#held = this.#held.slice(to);
    this.#before = text.endsWith('\n') ? '' : 'x';
    return left;
  }
}
