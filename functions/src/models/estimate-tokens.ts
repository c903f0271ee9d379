import { type ModelPrompt, piecesOf, toolTextsOf } from './model';
import { TokenCount } from './token-count';

/** What one picture counts until a provider has counted it: about a megapixel's at any of them. */
export const IMAGE_TOKENS = 1_000;
/** A turn's role and what separates it from the next. */
const TURN_TOKENS = 4;
/** No estimate is above it: no character has more bytes than this, and no token less than one. */
export const TOKENS_A_CHARACTER_MAX = 3;

/** Longer texts are not read whole, but in places. */
const READ_CHARACTERS_MAX = 4 * 1024;
/** As many places as come to that together. */
const SAMPLES = 32;
const SAMPLE_CHARACTERS = READ_CHARACTERS_MAX / SAMPLES;
/** Read before each place, to know within which word it begins. */
const LEAD_CHARACTERS = 16;
/** No less for a long text, whatever stands in the places read: a token has at least one byte, most have four. */
const BYTES_A_TOKEN_MAX = 12;
const CHARACTERS_A_TOKEN_MAX = 8;

/** Rough token count of a text, where no provider has counted it; within a quarter for most languages and formats. */
export function estimateTokens(text: string): number {
  if (text.length > READ_CHARACTERS_MAX) return sampledTokens(text);
  const count = new TokenCount();
  count.add(text);
  return count.tokens;
}

/** Estimated prompt tokens of a whole prompt, four a turn for the wrapping. Reads shared pieces, and copies none. */
export function estimatePromptTokens({ system = '', turns, tools }: ModelPrompt): number {
  const texts = [system, ...turns.flatMap(piecesOf), ...turns.flatMap(toolTextsOf), tools?.json ?? ''];
  const images = turns.reduce((sum, turn) => sum + (turn.images?.length ?? 0), 0);
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  return tokens + turns.length * TURN_TOKENS + images * IMAGE_TOKENS;
}

/** A long text, from places at even distances: as many tokens a byte in all of it as in them. */
function sampledTokens(text: string): number {
  const step = (text.length - SAMPLE_CHARACTERS) / (SAMPLES - 1);
  const samples = Array.from({ length: SAMPLES }, (_, index) => sampleAt(text, Math.floor(index * step)));
  const tokens = samples.reduce((sum, sample) => sum + sample.tokens, 0);
  const sampledBytes = samples.reduce((sum, sample) => sum + sample.bytes, 0);
  const bytes = Buffer.byteLength(text);
  const least = Math.max(bytes / BYTES_A_TOKEN_MAX, text.length / CHARACTERS_A_TOKEN_MAX);
  return Math.ceil(Math.min(bytes, Math.max(least, (tokens * bytes) / sampledBytes)));
}

function sampleAt(text: string, from: number): { readonly tokens: number; readonly bytes: number } {
  const to = from + SAMPLE_CHARACTERS;
  const count = new TokenCount();
  count.add(text, Math.max(0, from - LEAD_CHARACTERS), from);
  const before = count.fraction;
  count.add(text, from, to);
  return { tokens: count.fraction - before, bytes: Buffer.byteLength(text.slice(from, to)) };
}
