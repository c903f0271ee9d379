import { SELF_IDENTIFICATION, type SelfIdentificationPhrases, UNSPACED_LANGUAGES } from './self-identification-phrases';
import { PARTICLES_BEHIND_A_NAME, WORDS_BEHIND_A_NAME } from './words-behind-names';

/** What is hidden where a text says it of its author: sources of patterns, the longest names first. */
export interface HiddenNames {
  readonly models: readonly string[];
  readonly vendors: readonly string[];
  /** All of them in small letters; a text without any hides nothing. */
  readonly words: readonly string[];
}

/** One way of saying who wrote a text. Of the groups of `pattern` one matches: what stands before the name. */
export interface Form {
  readonly pattern: RegExp;
  readonly standIn: string;
  /** Whether what reads as a common word, in small letters, is none of the names: "this is solar". */
  readonly isProperOnly?: true;
}

const A_MODEL = '[a model]';
const A_COMPANY = '[a company]';
/** Latin letters and figures; classes of Unicode properties take twenty times as long to build. */
const LETTERS = '\\w\\u00c0-\\u024f';
const NO_LETTER_BEFORE = `(?<![${LETTERS}])`;
const NO_LETTER_BEHIND = `(?![${LETTERS}]|-[${LETTERS}])`;
const OPENING_MARKS = '[*_"“„«‘(]{0,3}';
/** Else the name goes on, or something of that name is meant: "I am Claude Monet", "this is GPT-4o output". */
const BEHIND_A_NAME = [
  `${NO_LETTER_BEHIND}(?!\\.\\d)(?=[*_"”“»’)]{0,3}(?:`,
  '\\s{0,3}(?:$|[.,;:!?()\\[\\]"”»—–…、。，！？；：\\n])',
  `| - |\\s{1,3}(?:${WORDS_BEHIND_A_NAME.join('|')})(?![${LETTERS}])`,
  `|\\s?(?:${PARTICLES_BEHIND_A_NAME.join('|')})))`,
].join('');
const LINE_START = '(?<=^[ \\t>*_(\\[—–-]{0,6})';
const DASH = '(?:(?:^|[.!?…)\\]"”。！？*]\\s{0,4})[*_(]{0,3}(?:[—–―~]|--)|[.!?…]\\s{0,2}\\n\\s{0,2}-)\\s{0,2}';
const END = '(?:\\s?[,(][^\\n]{0,80})?[*_.!)"”\\s]{0,8}(?![^])';

/** The forms that stand anywhere in a text: of names, then of makers, which may follow a hidden name. */
export function formsAnywhere({ models, vendors }: HiddenNames): Form[] {
  const name = anyOf(models);
  const said = inAllLanguages(({ says, wrote }, language) => [
    ...says.map((before) => led(before, language)),
    ...(wrote ? [`(?:${LINE_START}|${led(wrote.subject, language)})${led(wrote.by, language)}`] : []),
  ]);
  const shown = inAllLanguages(({ shows = [] }, language) => shows.map((before) => led(before, language)));
  const as = inAllLanguages(({ as }, language) => (as ? [led(as[0], language)] : []));
  const asBehind = inAllLanguages(({ as }) => (as ? [spaced(as[1])] : []));
  const made = inAllLanguages(({ makers }, language) =>
    makers.map((phrase) => {
      const [before = '', behind = ''] = phrase.split('#');
      const start = UNSPACED_LANGUAGES.has(language) || before.startsWith('\\[') ? '' : NO_LETTER_BEFORE;
      return `(${start}${spaced(before)})${anyOf(vendors)}${NO_LETTER_BEHIND}${spaced(behind)}`;
    }),
  );
  return [
    ...(models.length > 0
      ? [
          form(`(${said})${name}${BEHIND_A_NAME}`, A_MODEL),
          form(`(${as})${name}(?=[*_"”]{0,3}(?:${asBehind})(?![${LETTERS}]))`, A_MODEL),
          { ...form(`(${shown})${name}${BEHIND_A_NAME}`, A_MODEL), isProperOnly: true as const },
        ]
      : []),
    ...(vendors.length > 0 ? [form(made, A_COMPANY)] : []),
  ];
}

/** The form of a signature, which is the last that a text says. */
export function signatureForm({ models }: HiddenNames): Form | undefined {
  if (models.length === 0) return undefined;
  const closings = Object.values(SELF_IDENTIFICATION).flatMap(({ closings }) => closings.map(spaced));
  const farewell = `${NO_LETTER_BEFORE}(?:${closings.join('|')})[,.!，]?\\s{1,4}[—–-]?\\s?`;
  return form(`((?:${DASH}|${farewell})${OPENING_MARKS})${anyOf(models)}${NO_LETTER_BEHIND}(?=${END})`, A_MODEL);
}

function form(source: string, standIn: string): Form {
  return { pattern: new RegExp(source, 'gimu'), standIn };
}

function inAllLanguages(sources: (phrases: SelfIdentificationPhrases, language: string) => readonly string[]): string {
  return Object.entries(SELF_IDENTIFICATION)
    .flatMap(([language, phrases]) => sources(phrases, language))
    .join('|');
}

/** A phrase as what leads to a name, with the marks that open one. */
function led(phrase: string, language: string): string {
  return UNSPACED_LANGUAGES.has(language)
    ? `${spaced(phrase)}\\s{0,3}${OPENING_MARKS}`
    : `${NO_LETTER_BEFORE}${spaced(phrase)}\\s{1,3}${OPENING_MARKS}`;
}

/** A phrase with any white space for its blanks. */
function spaced(phrase: string): string {
  return `(?:${phrase.replaceAll(' ', '(?:\\s{1,3})')})`;
}

function anyOf(sources: readonly string[]): string {
  return `(?:${sources.join('|')})`;
}
