import { imagesIn, isPdf, type WithImages } from './images';
import { type ModelPrompt, piecesOf, toolTextsOf } from './model';

/** Tokens of one picture until a provider has counted it: about a megapixel's at any of them. @internal */
export const IMAGE_TOKENS = 1_000;
/** Tokens of a page of a PDF, its text and its picture; and the characters of base64 that a page takes on average. */
const PAGE_TOKENS = 2_000;
const PAGE_CHARACTERS = 64 * 1024;
/** Tokens of a turn's role and of what separates it from the next. */
const TURN_TOKENS = 4;
/** Upper bound of every estimate. */
export const TOKENS_A_CHARACTER_MAX = 1;

/** Tokens that a character adds, in 1/32, so that sums are exact: rules of thumb, such as four to five small letters a token. */
const SHARES = { small: 7, capital: 12, digit: 24, blank: 4, sign: 16, letter: 12, wide: 24, surrogate: 32 } as const;
/** Characters before it are those of alphabets: Latin, Greek, Cyrillic, Hebrew, Arabic, Indic, Thai. */
const ALPHABETS_END = 0x0f00;
const ASCII_END = 0x80;
const SHARES_BY_CODE = Uint8Array.from({ length: ALPHABETS_END }, (_, code) => {
  const character = String.fromCharCode(code);
  if (code >= ASCII_END) return SHARES.letter;
  if (/[a-z]/.test(character)) return SHARES.small;
  if (/[A-Z]/.test(character)) return SHARES.capital;
  if (/\d/.test(character)) return SHARES.digit;
  return /\s/.test(character) ? SHARES.blank : SHARES.sign;
});

/** Estimated tokens, with a fraction, within 30 % for most languages; pieces of a text add up to it. */
export function tokensIn(text: string): number {
  let shares = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    shares += SHARES_BY_CODE[code] ?? (isSurrogate(code) ? SHARES.surrogate : SHARES.wide);
  }
  return shares / 32;
}

/** True of half an emoji. */
function isSurrogate(code: number): boolean {
  return (code & 0xf800) === 0xd800;
}

/** Estimated tokens of a text, in whole tokens. */
export function estimateTokens(text: string): number {
  return Math.ceil(tokensIn(text));
}

/** Estimated tokens of a prompt and of a schema sent beside it. Copies no shared pieces. */
export function estimatePromptTokens({ system = '', turns, tools }: ModelPrompt, schema?: object): number {
  const json = schema ? JSON.stringify(schema) : '';
  const texts = [system, ...turns.flatMap(piecesOf), ...turns.flatMap(toolTextsOf), tools?.json ?? '', json];
  const images = turns.reduce((sum, turn) => sum + imageTokens(turn), 0);
  const tokens = texts.reduce((sum, text) => sum + tokensIn(text), 0);
  return Math.ceil(tokens) + turns.length * TURN_TOKENS + images;
}

/** Estimated tokens of the pictures of a turn, those that tools returned included. */
export function imageTokens(turn: WithImages): number {
  return imagesIn(turn).reduce((sum, image) => {
    return sum + (isPdf(image) ? Math.ceil(image.base64.length / PAGE_CHARACTERS) * PAGE_TOKENS : IMAGE_TOKENS);
  }, 0);
}
