import { lazy } from '../lib/lazy';
import { Lru } from '../lib/lru';
import { codeSpans } from './code-spans';
import { TEXTS_OF_A_ROUND_MAX } from './fence';
import { familyOfName, type ModelFamily } from './model-families';
import { type Form, formsAnywhere, type HiddenNames, signatureForm } from './self-identification-forms';

/** A signature is looked for in so many characters at the end of a text. */
const SIGNATURE_CHARACTERS = 240;
/** A version or a size behind a family's name: `-4o-mini`, ` 3.5 Sonnet`. */
const SIZES =
  'opus|sonnet|haiku|fable|instant|pro|flash|lite|ultra|nano|mini|turbo|large|medium|small|instruct|chat|preview|plus|max|coder|scout|maverick';
const VERSION = `(?:[ -]?[vVrR]?\\d[\\w\\u00c0-\\u024f.]{0,12}(?<!\\.)|[ -](?:${SIZES})(?![\\w\\u00c0-\\u024f])){0,5}`;
/** A name that may as well be a word of the text's language. */
const PLAIN_WORD = /^\p{Ll}+$/u;

/** The latest panels have their patterns kept: requests name the same ones again and again. */
const PANELS_MAX = 32;
/** Longer names are not kept: callers can make them up. */
const KEPT_CHARACTERS_MAX = 4_000;
const patternsKept = new Lru<string, Patterns>(PANELS_MAX);

/** The forms of some names. */
interface Patterns {
  readonly anywhere: readonly Form[];
  readonly signature: Form | undefined;
}

/**
 * A function that hides who wrote a text where the text itself says so: "I am X", "written by X", a signature, "I was made
 * by Y". `names` are the names and ids of a panel's models; their families and makers are hidden alike. What a text is
 * about stays as it is: code, other mentions, and whatever name, family or maker the user's texts speak of.
 */
export function selfIdentificationMask(
  names: readonly string[],
  userTexts: readonly string[],
): (text: string) => string {
  const namesToHide = lazy(() => hiddenNames([...new Set(names)], userTexts));
  const hideAll = (text: string): string => {
    const read = text.toLowerCase();
    const { words, ...hidden } = namesToHide();
    if (!words.some((word) => read.includes(word))) return text;
    const { anywhere, signature } = patternsOf(hidden);
    const end = Math.max(0, text.trimEnd().length - SIGNATURE_CHARACTERS);
    return anywhere.reduce((left, form) => hide(left, form, 0), signature ? hide(text, signature, end) : text);
  };
  // Every reader of a round is shown the same texts.
  const masked = new Lru<string, string>(TEXTS_OF_A_ROUND_MAX);
  return (text) => {
    const known = masked.get(text) ?? hideAll(text);
    masked.set(text, known);
    return known;
  };
}

/** Built when a text first has one of the names: most texts name no model at all. */
function patternsOf(hidden: HiddenNames): Patterns {
  const key = JSON.stringify(hidden);
  const patterns = patternsKept.get(key) ?? { anywhere: formsAnywhere(hidden), signature: signatureForm(hidden) };
  if (key.length <= KEPT_CHARACTERS_MAX) patternsKept.set(key, patterns);
  return patterns;
}

/** Hides what a form matches from a place on. Code is looked for when something has matched: that is rare. */
function hide(text: string, form: Form, from: number): string {
  const read = text.slice(from);
  const isInCode = inCode(text);
  const pieces = [text.slice(0, from)];
  let done = 0;
  for (const { at, end } of namesIn(read, form)) {
    if (isInCode(from + at)) continue;
    pieces.push(read.slice(done, at), form.standIn);
    done = end;
  }
  return done === 0 ? text : [...pieces, read.slice(done)].join('');
}

interface Place {
  readonly at: number;
  readonly end: number;
}

/** Where a form says a name. */
function* namesIn(text: string, { name, lead, isProperOnly }: Form): Generator<Place> {
  let next = 0;
  const nextName = (): RegExpExecArray | null => {
    name.lastIndex = next;
    return name.exec(text);
  };
  for (let found = nextName(); found; found = nextName()) {
    const at = found.index;
    const leads = lead();
    leads.lastIndex = at;
    const isSaid = leads.test(text) && !(isProperOnly && PLAIN_WORD.test(found[0]));
    next = at + (isSaid ? found[0].length : lengthOfCharacter(text, at));
    if (isSaid) yield { at, end: next };
  }
}

/** A pattern that is to go on within a pair of surrogates begins at the pair again. */
function lengthOfCharacter(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

/** Whether a place is code; places are asked for in their order. */
function inCode(text: string): (at: number) => boolean {
  const code = lazy(() => codeSpans(text));
  let next = 0;
  return (at) => {
    while ((code()[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    return (code()[next]?.start ?? Number.POSITIVE_INFINITY) <= at;
  };
}

/** The names to hide: a family that the user speaks of is left alone with all its models, any other name by itself. */
function hiddenNames(
  names: readonly string[],
  userTexts: readonly string[],
): HiddenNames & { /** All of them in small letters; a text without any hides nothing. */ readonly words: string[] } {
  const read = userTexts.map((text) => text.toLowerCase());
  const isTopic = (name: string): boolean => read.some((text) => mentions(text, name.toLowerCase()));
  const families = [...new Set(names.flatMap((name) => familyOfName(name) ?? []))];
  const topics = new Set<ModelFamily | undefined>(families.filter((family) => family.names.some(isTopic)));
  const own = names
    .filter((name) => name.length > 1 && !topics.has(familyOfName(name)) && !isTopic(name))
    .sort(longestFirst);
  const shared = families
    .filter((family) => !topics.has(family))
    .flatMap((family) => family.names)
    .sort(longestFirst);
  const vendors = [...new Set(families.flatMap((family) => family.vendors))]
    .filter((vendor) => !isTopic(vendor))
    .sort(longestFirst);
  return {
    models: [
      ...own.map((name) => RegExp.escape(name)),
      ...(shared.length > 0 ? [`(?:${shared.map((name) => RegExp.escape(name)).join('|')})${VERSION}`] : []),
    ],
    vendors: vendors.map((name) => RegExp.escape(name)),
    words: [...own, ...shared, ...vendors].map((name) => name.toLowerCase()),
  };
}

/** The same for the same names, in whatever order they come. */
function longestFirst(a: string, b: string): number {
  return b.length - a.length || (a < b ? -1 : 1);
}

/** Whether a text in small letters has a name as a word, perhaps with a version or an s behind it. */
function mentions(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    const isWhole = !isLatin(text[end]) || (text[end] === 's' && !isLatin(text[end + 1]));
    if (isWhole && !isLatin(text[at - 1])) return true;
  }
  return false;
}

function isLatin(character = ''): boolean {
  return /\p{Script=Latin}/u.test(character);
}
