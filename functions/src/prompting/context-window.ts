import { type ChatTurn, IMAGE_TOKENS, toolCharactersOf } from '../models/model';

/** A rule of thumb until a provider has counted. */
export const CHARACTERS_PER_TOKEN = 4;
/** Of a window, kept for the reply: 4,000 tokens or 15 %, whichever is more, but never over half. */
const REPLY_TOKENS_MIN = 4_000;
const REPLY_SHARE = 0.15;
/** Of a text that is cut, this share of what stays is its beginning; the rest is its end. */
const HEAD_SHARE = 0.7;

/** How many characters a window of `contextTokens` holds beside the reply. */
export function roomFor(contextTokens: number): number {
  const reply = Math.min(contextTokens / 2, Math.max(REPLY_TOKENS_MIN, contextTokens * REPLY_SHARE));
  return Math.floor((contextTokens - reply) * CHARACTERS_PER_TOKEN);
}

/**
 * Cuts texts to `room` characters together: everyone gets an equal share, and what short texts leave over goes to
 * the long ones. A cut text keeps its beginning and its end around a visible mark.
 */
export function fitTexts(texts: readonly string[], room: number): string[] {
  const share = fairShare(
    texts.map(({ length }) => length),
    Math.max(0, room),
  );
  return texts.map((text) => (text.length <= share ? text : withoutMiddle(text, share)));
}

/** The newest turns that fit into `room` characters, with a mark in place of those left out. No result is parted from its call. */
export function historyThatFits(history: readonly ChatTurn[], room: number): ChatTurn[] {
  let first = history.length;
  let left = room;
  for (const [index, turn] of [...history.entries()].toReversed()) {
    left -= charactersOfTurn(turn);
    if (left < 0) break;
    if (!turn.toolResults) first = index;
  }
  const kept = history.slice(first);
  const missing = first;
  if (missing === 0) return kept;
  return [{ role: 'user', text: `[… ${missing} earlier message${missing > 1 ? 's' : ''} left out …]` }, ...kept];
}

/** How many characters of a window a turn takes; an image takes as many as its tokens would. */
export function charactersOfTurn(turn: ChatTurn): number {
  const { text, images = [] } = turn;
  return text.length + toolCharactersOf(turn) + images.length * IMAGE_TOKENS * CHARACTERS_PER_TOKEN;
}

/** The length up to which every text may go so that all together fit into `room`. */
function fairShare(lengths: readonly number[], room: number): number {
  let left = room;
  const ascending = [...lengths].sort((a, b) => a - b);
  for (const [index, length] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (length > share) return share;
    left -= length;
  }
  return Number.POSITIVE_INFINITY;
}

function withoutMiddle(text: string, share: number): string {
  const mark = `\n[… ${text.length.toLocaleString('en-US')} characters in all, the middle left out …]\n`;
  const kept = Math.max(0, Math.floor(share) - mark.length);
  const head = Math.floor(kept * HEAD_SHARE);
  const tail = kept - head;
  return `${text.slice(0, head)}${mark}${tail > 0 ? text.slice(-tail) : ''}`;
}
