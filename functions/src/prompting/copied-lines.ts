import { lazy } from '../lib/lazy';

/** Texts that tell a copy of a prompt from a reply's own words. */
export interface PromptWords {
  /** Words of the service in the prompt. */
  readonly task: readonly string[];
  /** Texts of the user; a line that stands there is the user's own. */
  readonly usersTexts: readonly string[];
}

/** A line may be a copy where it begins with so many words that begin a sentence of the task. */
const OPENING_WORDS = 5;
/** A line that begins with so many of them is a copy, whatever follows. */
const COPIED_WORDS = 8;
/** Share of a line's pairs of words that stand in the task, from which on the line is a copy in other words. */
const COPIED_SHARE_MIN = 0.7;
/** Longer openings and lines are text, and not held back. */
const OPENING_CHARACTERS_MAX = 200;
const LINE_CHARACTERS_MAX = 1_200;
/** Lines that may be copies and are compared; a model that writes more repeats itself without an end. */
const COMPARED_MAX = 50;

/** Colons and semicolons end none: what a prompt names or quotes behind one may begin an answer. */
const SENTENCE_END = /[.!?\n]/;
const LETTER_FIRST = /^[\p{L}\p{N}]/u;
const MARKUP_BEFORE = /^[\s*_`>#"'“”«•-]*/;
const MARKUP_AFTER = /[\s*_`"'”».:,]*$/;
const FENCE_BEGUN = /^<(?:<{1,3}[^<>\n]*>{0,4}[\s*_`"'”».:,]*)?$/;
/** Fence without the request's number: six digits and a name, or a long number alone. */
const MADE_UP_FENCE = /^<{2,4} ?(?:(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{5,16} [^<>]+|[0-9a-f.]{12,64} ?)>{2,4}$/;
const NAMED_FENCE = /^<{2,4} ?([^<>]*)>{2,4}$/;
/** Fence at the end of a reply that broke off within the number. */
const FENCE_CUT_OFF = /^<{2,4} ?[0-9a-f]{1,64}$/;

/** `open`: what follows decides; `copy`: it begins like the task. */
type LineKind = 'open' | 'copy' | 'text';

/**
 * Takes lines that a weak model has copied from its prompt out of a reply that comes in pieces: sentences of the task,
 * also in other words, and fences whose number is made up or missing. Blank lines at the beginning go too: copies leave
 * them there. The result does not depend on how the reply was cut; a line is held back only while it may still become a
 * copy. Linear.
 */
export class CopiedLines {
  /** Words of the task in lower case. */
  readonly #words: readonly string[];
  /** First words of each sentence of the task, with those of the next where it is short. */
  readonly #openings: readonly string[];
  readonly #usersTexts: readonly string[];
  readonly #pairs = lazy(() => new Set(pairsOf(this.#words)));
  readonly #joined = lazy(() => ` ${this.#words.join(' ')} `);
  /** True if the user has written such brackets, too. */
  readonly #isFenceUsers = lazy(() => this.#isUsers('<<'));
  #line = '';
  #kind: LineKind = 'open';
  #compared = 0;
  /** True if anything but blanks was passed on. */
  #isSpoken = false;

  constructor({ task, usersTexts }: PromptWords) {
    const sentences = task.flatMap((text) => text.split(SENTENCE_END)).map(wordsOf);
    this.#words = sentences.flat();
    this.#openings = sentences.map((_, at) =>
      sentences
        .slice(at, at + COPIED_WORDS)
        .flat()
        .slice(0, COPIED_WORDS)
        .join(' '),
    );
    this.#usersTexts = usersTexts;
  }

  /** Takes the next piece; returns what can be passed on. */
  read(piece: string): string {
    return piece
      .split(/(?<=\n)/)
      .map((part) => this.#readPart(part))
      .join('');
  }

  /** The reply has ended; returns the rest of it. */
  end(): string {
    const isCutOff = FENCE_CUT_OFF.test(bareOf(this.#line)) && !this.#isFenceUsers();
    return isCutOff ? this.#takeOut() : this.#lineEnded();
  }

  /** A part is within one line. */
  #readPart(part: string): string {
    this.#line += part;
    if (part.endsWith('\n')) return this.#lineEnded();
    if (this.#kind === 'open') this.#kind = this.#kindOf(this.#line);
    if (this.#line.length > LINE_CHARACTERS_MAX) this.#kind = 'text';
    return this.#kind === 'text' ? this.#passOn() : '';
  }

  #lineEnded(): string {
    const isWhole = this.#kind !== 'text';
    this.#kind = 'open';
    const isLeadingBlank = !this.#isSpoken && this.#line.length <= OPENING_CHARACTERS_MAX && this.#line.trim() === '';
    return isWhole && (isLeadingBlank || this.#isCopy(this.#line)) ? this.#takeOut() : this.#passOn();
  }

  #takeOut(): string {
    this.#line = '';
    return '';
  }

  #passOn(): string {
    const text = this.#line;
    this.#isSpoken ||= text.trim() !== '';
    this.#line = '';
    return text;
  }

  #kindOf(line: string): LineKind {
    const bare = bareOf(line.slice(0, OPENING_CHARACTERS_MAX));
    const isLong = line.length > OPENING_CHARACTERS_MAX;
    if (!isLong && (bare === '' || FENCE_BEGUN.test(bare))) return 'open';
    const words = wordsOf(bare).slice(0, OPENING_WORDS);
    if (!LETTER_FIRST.test(bare) || !this.#isOpening(words)) return 'text';
    if (words.length === OPENING_WORDS) return 'copy';
    return isLong ? 'text' : 'open';
  }

  /** True of words that begin a sentence of the task; of the last one, the beginning does. */
  #isOpening(words: readonly string[]): boolean {
    const opening = words.join(' ');
    return this.#openings.some((known) => known.startsWith(opening));
  }

  #isCopy(line: string): boolean {
    if (line.length > LINE_CHARACTERS_MAX || line.trim() === '' || this.#kindOf(line) === 'text') return false;
    this.#compared += 1;
    if (this.#compared > COMPARED_MAX) return false;
    if (this.#isFence(bareOf(line).replace(MARKUP_AFTER, ''))) return !this.#isFenceUsers();
    return this.#repeatsTask(wordsOf(line)) && !this.#isUsers(line.trim());
  }

  #isFence(bare: string): boolean {
    if (MADE_UP_FENCE.test(bare)) return true;
    const name = wordsOf(NAMED_FENCE.exec(bare)?.[1] ?? '');
    return name.length > 1 && this.#joined().includes(` ${name.join(' ')} `);
  }

  #isUsers(words: string): boolean {
    return this.#usersTexts.some((text) => text.includes(words));
  }

  #repeatsTask(words: readonly string[]): boolean {
    if (words.length < OPENING_WORDS) return false;
    if (words.length >= COPIED_WORDS && this.#isOpening(words.slice(0, COPIED_WORDS))) return true;
    const pairs = pairsOf(words);
    return pairs.filter((pair) => this.#pairs().has(pair)).length >= pairs.length * COPIED_SHARE_MIN;
  }
}

function bareOf(line: string): string {
  return line.replace(MARKUP_BEFORE, '');
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
}

function pairsOf(words: readonly string[]): string[] {
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}
