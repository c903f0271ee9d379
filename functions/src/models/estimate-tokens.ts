import { type ModelPrompt, piecesOf, toolTextsOf } from './model';
import { TokenCount } from './token-count';

/** What one picture counts until a provider has counted it: about a megapixel's at any of them. */
export const IMAGE_TOKENS = 1_000;
/** A turn's role and what separates it from the next. */
const TURN_TOKENS = 4;
/** No estimate is above it: no character has more bytes than this, and no token less than one. */
export const TOKENS_A_CHARACTER_MAX = 3;

/** Longer texts are not read whole, but in places: one in each of as many equal parts. */
const READ_CHARACTERS_MAX = 4 * 1024;
const SAMPLES = 256;
const SAMPLE_CHARACTERS = 8;
/** Read before each place, to know within which word it begins: after as many the rate of a run hardly changes. */
const LEAD_CHARACTERS = 8;
/** No less for a long text, whatever stands in the places read. */
const CHARACTERS_A_TOKEN_MAX = 8;

/**
 * Rough token count of a text, where no provider has counted it; within a quarter for most languages and formats. A long
 * text is read in places that the id of its request decides: all estimates of a request agree, and no author can know them.
 */
export function estimateTokens(text: string, requestId: string): number {
  if (text.length > READ_CHARACTERS_MAX) return sampledTokens(text, requestId);
  const count = new TokenCount();
  count.add(text);
  return count.tokens;
}

/** Estimated prompt tokens of a prompt and a schema beside it, four a turn for the wrapping. Copies no shared pieces. */
export function estimatePromptTokens(prompt: ModelPrompt, requestId: string, schema?: object): number {
  const { system = '', turns, tools } = prompt;
  const json = schema ? JSON.stringify(schema) : '';
  const texts = [system, ...turns.flatMap(piecesOf), ...turns.flatMap(toolTextsOf), tools?.json ?? '', json];
  const images = turns.reduce((sum, turn) => sum + (turn.images?.length ?? 0), 0);
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text, requestId), 0);
  return tokens + turns.length * TURN_TOKENS + images * IMAGE_TOKENS;
}

/** A long text: as many tokens a character in all of it as in the places read, drawn by a congruential generator. */
function sampledTokens(text: string, requestId: string): number {
  const step = (text.length - SAMPLE_CHARACTERS) / SAMPLES;
  const count = new TokenCount();
  let tokens = 0;
  let drawn = Number.parseInt(requestId.slice(-8), 16);
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0;
    const from = Math.floor((sample + drawn / 2 ** 32) * step);
    count.add(text, Math.max(0, from - LEAD_CHARACTERS), from);
    const before = count.fraction;
    count.add(text, from, from + SAMPLE_CHARACTERS);
    tokens += count.fraction - before;
  }
  return Math.ceil(text.length * Math.max(1 / CHARACTERS_A_TOKEN_MAX, tokens / (SAMPLES * SAMPLE_CHARACTERS)));
}
