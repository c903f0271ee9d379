/** Runs of characters that tokenizers take together. */
export type Run = keyof typeof RUN_RATES;

/**
 * Hundredths of a token that a character adds, by its place in its run; the last rate holds for all further ones. A first
 * character begins a token, the next ones often belong to it. Fitted to counts of `o200k_base`, for some sixty languages
 * and a dozen formats; no run comes to less than a token for twelve bytes.
 */
export const RUN_RATES = {
  word: [62, 0, 0, 0, 35, 17, 12, 8, 20, 28, 22, 20],
  capitals: [118, 12, 0, 0, 0, 5, 12, 40],
  digits: [155, 0, 0, 33],
  blanks: [0, 57, 0, 0, 4, 4, 0, 0, 9],
  newlines: [64, 9],
  signs: [53, 50, 0, 33],
  /** Typographic signs, such as dashes and quotation marks. */
  marks: [90],
  /** Arrows, signs of mathematics, boxes. */
  symbols: [140, 100],
  /** Greek, Armenian, Georgian. */
  greek: [105, 20, 20, 20, 22, 37],
  cyrillic: [105, 10, 17, 22, 26, 22, 21, 17],
  hebrew: [100, 22, 32, 32, 31, 30],
  arabic: [95, 5, 17, 25, 30, 40],
  /** Devanagari and the scripts of India after it. */
  indic: [100, 10, 23, 28, 28, 25],
  /** Thai, Lao. */
  thai: [92, 34],
  /** Khmer, Burmese. */
  khmer: [100, 53],
  /** Signs of Chinese and Japanese, wide letters. */
  wide: [90, 80],
  hiragana: [75, 64],
  katakana: [73, 53],
  han: [88, 78],
  hangul: [97, 60, 55, 51],
  /** An emoji is two of them. */
  surrogates: [100],
  /** Scripts that tokenizers spell out byte by byte. */
  rare: [250],
} as const;

/** What a number adds after a blank, which belongs to the word after it but not to digits. */
export const BLANK_BEFORE_DIGITS = 95;

/** A kind of characters: the run it is part of, and what each adds beside its place in it. */
export interface Kind {
  readonly run: Run;
  readonly more: number;
}

const kind = (run: Run, more = 0): Kind => ({ run, more });
/** Not frequent in English, and so seldom within a token: many in other languages, and in codes. */
const RARE_LETTERS = new Set('jkqwxz');

/** ASCII, by what a character matches first. */
const ASCII_KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/[a-z]/, kind('word')],
  [/[A-Z]/, kind('capitals')],
  [/\d/, kind('digits')],
  [/[ \t]/, kind('blanks')],
  [/[\n\r]/, kind('newlines')],
];
const RARE_LETTER = kind('word', 70);
const SIGN = kind('signs');
const ACCENTED = kind('word', 75);
const RARE = kind('rare');
const MARK = kind('marks');
const SYMBOL = kind('symbols');
const GREEK = kind('greek');
const KHMER = kind('khmer');

/** The code of ASCII's end, where the first range begins. */
export const RANGES_START = 128;
/** Beyond ASCII: the first character after each range, in ascending order; the last one ends with what UTF-16 has. */
export const RANGES: readonly (readonly [end: number, kind: Kind])[] = [
  [0xc0, MARK],
  [0xd7, ACCENTED],
  [0xd8, MARK],
  [0xf7, ACCENTED],
  [0xf8, MARK],
  [0x370, ACCENTED],
  [0x400, GREEK],
  [0x530, kind('cyrillic')],
  [0x590, GREEK],
  [0x600, kind('hebrew')],
  [0x700, kind('arabic')],
  [0x900, RARE],
  [0xe00, kind('indic')],
  [0xf00, kind('thai')],
  [0x1000, RARE],
  [0x10a0, KHMER],
  [0x1100, GREEK],
  [0x1780, RARE],
  [0x1800, KHMER],
  [0x1e00, RARE],
  // The letters of Vietnamese.
  [0x1f00, kind('word', 12)],
  [0x2000, RARE],
  [0x2070, MARK],
  [0x2800, SYMBOL],
  [0x3000, RARE],
  [0x3040, kind('wide')],
  [0x30a0, kind('hiragana')],
  [0x3100, kind('katakana')],
  [0x3400, SYMBOL],
  [0x4e00, RARE],
  [0xa000, kind('han')],
  [0xac00, RARE],
  [0xd7b0, kind('hangul')],
  [0xd800, RARE],
  [0xe000, kind('surrogates')],
  [0xfe00, RARE],
  [0xfe10, MARK],
  [0xff00, RARE],
  [0x1_0000, kind('wide')],
];

/** What kind of character a UTF-16 code unit is. */
export function kindOf(code: number): Kind {
  if (code >= RANGES_START) return RANGES.find(([end]) => code < end)?.[1] ?? RARE;
  const character = String.fromCharCode(code);
  if (RARE_LETTERS.has(character)) return RARE_LETTER;
  return ASCII_KINDS.find(([pattern]) => pattern.test(character))?.[1] ?? SIGN;
}
