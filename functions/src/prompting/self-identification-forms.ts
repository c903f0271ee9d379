import { lazy } from '../lib/lazy';
import { SELF_IDENTIFICATION, type SelfIdentificationPhrases, UNSPACED_LANGUAGES } from './self-identification-phrases';
import { PARTICLES_BEHIND_A_NAME, WORDS_BEHIND_A_NAME } from './words-behind-names';

/** What is hidden where a text says it of its author: sources of patterns, the longest names first. */
export interface HiddenNames {
  readonly models: readonly string[];
  readonly vendors: readonly string[];
}

/** One way of saying who wrote a text. */
export interface Form {
  /** A name, with what must follow it. */
  readonly name: RegExp;
  /** Matches, without a character of its own, where a name is led up to. Of all panels: it takes a moment to build. */
  readonly lead: () => RegExp;
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

/** The leads of every language, each built when a name first comes that it may stand before. */
const LEADS = {
  says: lazy(() => leadOf(inAllLanguages(saysBefore))),
  as: lazy(() => leadOf(inAllLanguages(({ as }, language) => (as ? [led(as[0], language)] : [])))),
  shows: lazy(() => leadOf(inAllLanguages(({ shows = [] }, language) => shows.map((before) => led(before, language))))),
  signature: lazy(() => leadOf([`(?:${DASH}|${farewell()})${OPENING_MARKS}`])),
};

/** Phrases about makers, by what they have behind the name; most have nothing. */
const MAKERS = lazy(() => {
  const phrases = inAllLanguages(({ makers }, language) =>
    makers.map((phrase) => {
      const [before = '', behind = ''] = phrase.split('#');
      const start = UNSPACED_LANGUAGES.has(language) || before.startsWith('\\[') ? '' : NO_LETTER_BEFORE;
      return { lead: `${start}${spaced(before)}`, behind: spaced(behind) };
    }),
  );
  return [...Map.groupBy(phrases, ({ behind }) => behind)].map(([behind, group]) => ({
    behind,
    lead: lazy(() => leadOf(group.map(({ lead }) => lead))),
  }));
});

/** The forms that stand anywhere in a text: of names, then of makers, which may follow a hidden name. */
export function formsAnywhere({ models, vendors }: HiddenNames): Form[] {
  const asBehind = inAllLanguages(({ as }) => (as ? [spaced(as[1])] : [])).join('|');
  const said = nameOf(models, BEHIND_A_NAME);
  const addressed = nameOf(models, `(?=[*_"”]{0,3}(?:${asBehind})(?![${LETTERS}]))`);
  const named: Form[] = [
    { name: said, lead: LEADS.says, standIn: A_MODEL },
    { name: addressed, lead: LEADS.as, standIn: A_MODEL },
    { name: said, lead: LEADS.shows, standIn: A_MODEL, isProperOnly: true },
  ];
  const made = MAKERS().map(({ behind, lead }) => ({
    name: nameOf(vendors, `${NO_LETTER_BEHIND}${behind}`),
    lead,
    standIn: A_COMPANY,
  }));
  return [...(models.length > 0 ? named : []), ...(vendors.length > 0 ? made : [])];
}

/** The form of a signature, which is the last that a text says. */
export function signatureForm({ models }: HiddenNames): Form | undefined {
  if (models.length === 0) return undefined;
  return { name: nameOf(models, `${NO_LETTER_BEHIND}(?=${END})`), lead: LEADS.signature, standIn: A_MODEL };
}

function nameOf(names: readonly string[], behind: string): RegExp {
  return new RegExp(`(?:${names.join('|')})${behind}`, 'gimu');
}

function leadOf(sources: readonly string[]): RegExp {
  return new RegExp(`(?<=${sources.join('|')})`, 'imy');
}

function saysBefore({ says, wrote }: SelfIdentificationPhrases, language: string): string[] {
  return [
    ...says.map((before) => led(before, language)),
    ...(wrote ? [`(?:${LINE_START}|${led(wrote.subject, language)})${led(wrote.by, language)}`] : []),
  ];
}

function farewell(): string {
  const closings = inAllLanguages(({ closings }) => closings.map(spaced));
  return `${NO_LETTER_BEFORE}(?:${closings.join('|')})[,.!，]?\\s{1,4}[—–-]?\\s?`;
}

function inAllLanguages<T>(phrasesOf: (phrases: SelfIdentificationPhrases, language: string) => readonly T[]): T[] {
  return Object.entries(SELF_IDENTIFICATION).flatMap(([language, phrases]) => phrasesOf(phrases, language));
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
