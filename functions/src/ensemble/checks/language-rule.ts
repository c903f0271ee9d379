import { codeSpans } from '../../prompting/code-spans';
import type { CheckRule } from './answer-checks';

/** The languages that can be told apart, by ISO 639-1, as people call them in English. */
export const LANGUAGES = {
  ...{ ar: 'Arabic', bn: 'Bengali', de: 'German', el: 'Greek', en: 'English', es: 'Spanish', fi: 'Finnish' },
  ...{ fr: 'French', he: 'Hebrew', hi: 'Hindi', hu: 'Hungarian', it: 'Italian', ja: 'Japanese', ko: 'Korean' },
  ...{ nl: 'Dutch', no: 'Norwegian', pl: 'Polish', pt: 'Portuguese', ro: 'Romanian', ru: 'Russian' },
  ...{ sv: 'Swedish', th: 'Thai', tr: 'Turkish', zh: 'Chinese' },
} as const;
export type LanguageCode = keyof typeof LANGUAGES;

/** More of a text tells no more of its language. */
const CHARACTERS_MAX = 2_000;
/** Fewer letters can be of many languages; a character that is a word by itself says more. */
const LETTERS_MIN = 20;
const IDEOGRAPHS_MIN = 6;
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** With fewer Latin letters the detector is wrong about every tenth sentence: enough to accept one, not to refuse it. */
const LATIN_LETTERS_MIN = 80;
/** Written in other letters, which nearly tell the language by themselves. */
const NOT_LATIN: ReadonlySet<string> = new Set(['ar', 'bn', 'el', 'he', 'hi', 'ja', 'ko', 'ru', 'th', 'zh']);
/** A language that comes so near to the likeliest one may be the one as well. */
const NEAR = 0.8;
/** Reached where some words are of no other language; the next likely one is far from it then. */
const SURE = 0.2;
const FAR = 5;
const QUOTED = /["“„«][^"“”„«»]{1,400}["“”»]/g;

/** The language that a text is to be in. The detector is loaded by the first request that names one. */
export async function languageRule(code: LanguageCode): Promise<CheckRule> {
  const detector = await import('tinyld/light');
  return {
    name: 'language',
    requirement: `It is written in ${LANGUAGES[code]}.`,
    check: (text) => {
      const prose = proseOf(text);
      const found = likelyLanguages(prose, detector);
      const [likeliest] = found;
      const name = Object.hasOwn(LANGUAGES, likeliest?.lang ?? '') && LANGUAGES[likeliest?.lang as LanguageCode];
      if (!likeliest || !name) return { passed: null, words: 'its language cannot be told' };
      const accuracy = found.find(({ lang }) => lang === code)?.accuracy ?? 0;
      if (accuracy >= NEAR * likeliest.accuracy) return { passed: true, words: `it is in ${LANGUAGES[code]}` };
      const isSure = !isMostlyLatin(prose) || NOT_LATIN.has(code) || lettersIn(prose) >= LATIN_LETTERS_MIN;
      if (!isSure) return { passed: null, words: 'its language cannot be told' };
      return { passed: false, words: `it is in ${name}, and ${LANGUAGES[code]} is asked for` };
    },
  };
}

/** The language of a message by ISO 639-1; undefined where that is unsure, as for code, data and Persian. */
export async function languageOf(message: string): Promise<string | undefined> {
  const prose = proseOf(message).replace(QUOTED, ' ');
  if (/[{}[\]=<>\u067e\u0686\u0698\u06af]/.test(prose)) return undefined;
  const [likeliest, next] = likelyLanguages(prose, await import('tinyld/light'));
  const isSure = likeliest && likeliest.accuracy >= Math.max(SURE, FAR * (next?.accuracy ?? 0));
  return isSure ? likeliest.lang : undefined;
}

/** The likeliest first; none where too little is said. */
function likelyLanguages(prose: string, { detectAll }: typeof import('tinyld/light')) {
  const isLatin = isMostlyLatin(prose);
  return isTelling(prose) ? detectAll(prose).filter(({ lang }) => NOT_LATIN.has(lang) !== isLatin) : [];
}

/** A text without its code, which is in no language, and no more of it than is needed. */
function proseOf(text: string): string {
  const beginning = text.slice(0, 4 * CHARACTERS_MAX);
  let prose = '';
  let at = 0;
  for (const { start, end } of codeSpans(beginning)) {
    prose += `${beginning.slice(at, start)} `;
    at = end;
  }
  return (prose + beginning.slice(at)).slice(0, CHARACTERS_MAX).toWellFormed();
}

function lettersIn(text: string, kind = /\p{L}/gu): number {
  return text.match(kind)?.length ?? 0;
}

function isMostlyLatin(text: string): boolean {
  return 2 * lettersIn(text, /\p{Script=Latin}/gu) > lettersIn(text);
}

function isTelling(text: string): boolean {
  return lettersIn(text) >= LETTERS_MIN || lettersIn(text, IDEOGRAPH) >= IDEOGRAPHS_MIN;
}
