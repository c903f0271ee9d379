import { lazy } from '../lib/lazy';
import { Lru } from '../lib/lru';
import type { Span } from './balanced-spans';
import { codeSpans } from './code-spans';
import { TEXTS_OF_A_ROUND_MAX } from './fence';
import { familyOfName, type ModelFamily } from './model-families';
import { type Form, formsAnywhere, type HiddenNames, signatureForm } from './self-identification-forms';

/** A signature is looked for in so many characters at the end of a text. */
const SIGNATURE_CHARACTERS = 240;
/** A version or a size behind a family's name: `-4o-mini`, ` 3.5 Sonnet`. */
const SIZES =
  'opus|sonnet|haiku|fable|instant|pro|flash|lite|ultra|nano|mini|turbo|large|medium|small|instruct|chat|preview|plus|max|coder|scout|maverick';
const VERSION = `(?:[ -]?[vVrR]?\\d[\\p{L}\\p{N}.]{0,12}(?<!\\.)|[ -](?:${SIZES})(?!\\p{L})){0,5}`;
/** A name that may as well be a word of the text's language. */
const PLAIN_WORD = /^\p{Ll}+$/u;
/**
 * A function that hides who wrote a text where the text itself says so: "I am X", "written by X", a signature, "I was made
 * by Y". `names` are the names and ids of a panel's models; their families and makers are hidden alike. What a text is
 * about stays as it is: code, other mentions, and whatever name, family or maker the user's texts speak of.
 */
export function selfIdentificationMask(
  names: readonly string[],
  userTexts: readonly string[],
): (text: string) => string {
  const hidden = hiddenNames([...new Set(names)], userTexts);
  // Patterns in ten languages take a moment to build: most texts name no model at all.
  const forms = lazy(() => ({ anywhere: formsAnywhere(hidden), signature: signatureForm(hidden) }));
  const hideAll = (text: string): string => {
    const read = text.toLowerCase();
    if (!hidden.words.some((word) => read.includes(word))) return text;
    const { anywhere, signature } = forms();
    return anywhere.reduce((left, form) => hide(left, form, 0), signature ? withoutSignature(text, signature) : text);
  };
  // Every reader of a round is shown the same texts.
  const masked = new Lru<string, string>(TEXTS_OF_A_ROUND_MAX);
  return (text) => {
    const known = masked.get(text) ?? hideAll(text);
    masked.set(text, known);
    return known;
  };
}

function withoutSignature(text: string, signature: Form): string {
  return hide(text, signature, Math.max(0, text.trimEnd().length - SIGNATURE_CHARACTERS));
}

/** Hides what a form matches from a place on. Code is looked for when something has matched: that is rare. */
function hide(text: string, { pattern, standIn, isProperOnly }: Form, from: number): string {
  let code: readonly Span[] | undefined;
  let next = 0;
  const isCode = (at: number): boolean => {
    code ??= codeSpans(text);
    while ((code[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    return (code[next]?.start ?? Number.POSITIVE_INFINITY) <= at;
  };
  const read = text.slice(from).replace(pattern, (whole: string, ...groups: (string | number | undefined)[]) => {
    const at = groups.findIndex((group) => typeof group === 'number');
    const before = String(groups.slice(0, at).find((group) => group !== undefined));
    const isTopic = isProperOnly && PLAIN_WORD.test(whole.slice(before.length));
    return isTopic || isCode(from + Number(groups[at])) ? whole : `${before}${standIn}`;
  });
  return text.slice(0, from) + read;
}

/** The names to hide: a family that the user speaks of is left alone with all its models, any other name by itself. */
function hiddenNames(names: readonly string[], userTexts: readonly string[]): HiddenNames {
  const read = userTexts.map((text) => text.toLowerCase());
  const isTopic = (name: string): boolean => read.some((text) => mentions(text, name.toLowerCase()));
  const families = [...new Set(names.flatMap((name) => familyOfName(name) ?? []))];
  const topics = new Set<ModelFamily | undefined>(families.filter((family) => family.names.some(isTopic)));
  const own = names
    .filter((name) => name.length > 1 && !topics.has(familyOfName(name)) && !isTopic(name))
    .sort((a, b) => b.length - a.length);
  const shared = families.filter((family) => !topics.has(family)).flatMap((family) => family.names);
  const vendors = [...new Set(families.flatMap((family) => family.vendors))].filter((vendor) => !isTopic(vendor));
  return {
    models: [
      ...own.map((name) => RegExp.escape(name)),
      ...(shared.length > 0 ? [`(?:${shared.map((name) => RegExp.escape(name)).join('|')})${VERSION}`] : []),
    ],
    vendors: vendors.map((name) => RegExp.escape(name)),
    words: [...own, ...shared, ...vendors].map((name) => name.toLowerCase()),
  };
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
