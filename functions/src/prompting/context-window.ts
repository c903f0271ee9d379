import { estimateTokens, imageTokens } from '../models/estimate-tokens';
import { type ChatTurn, toolTextsOf } from '../models/model';

/** Part of a window kept for the reply: 4,000 tokens or 15 %, whichever is more, but never over half. */
const REPLY_TOKENS_MIN = 4_000;
const REPLY_SHARE = 0.15;
/** Share of a cut text that is its beginning; the rest is its end. */
const HEAD_SHARE = 0.7;
/** A text whose beginning or end is denser than the whole is cut by so much at least, again until it fits. */
const SHORTER = 0.95;

/** Tokens that a window of `contextTokens` holds beside the reply. */
export function roomFor(contextTokens: number): number {
  const reply = Math.min(contextTokens / 2, Math.max(REPLY_TOKENS_MIN, contextTokens * REPLY_SHARE));
  return Math.floor(contextTokens - reply);
}

/** Cuts the middle out of texts until all fit into `room` tokens: equal shares, what short texts leave going to the long. */
export function fitTexts(texts: readonly string[], room: number): string[] {
  const tokens = texts.map(estimateTokens);
  const share = fairShare(tokens, Math.max(0, room));
  return texts.map((text, index) => ((tokens[index] ?? 0) <= share ? text : cutTo(share, text)));
}

/** The newest turns that fit into `room` tokens, with a mark in place of those left out. No result is parted from its call. */
export function historyThatFits(history: readonly ChatTurn[], room: number): ChatTurn[] {
  let first = history.length;
  let left = room;
  for (const [index, turn] of [...history.entries()].toReversed()) {
    left -= tokensOfTurn(turn);
    if (left < 0) break;
    if (!turn.toolResults) first = index;
  }
  const kept = history.slice(first);
  const missing = first;
  if (missing === 0) return kept;
  return [{ role: 'user', text: `[… ${missing} earlier message${missing > 1 ? 's' : ''} left out …]` }, ...kept];
}

/** Tokens of a turn, its images and tool calls included. */
export function tokensOfTurn(turn: Omit<ChatTurn, 'role'>): number {
  const tokens = [turn.text, ...toolTextsOf(turn)].reduce((sum, each) => sum + estimateTokens(each), 0);
  return tokens + imageTokens(turn);
}

/** The tokens up to which every text may go so that all together fit into `room`. */
function fairShare(tokens: readonly number[], room: number): number {
  let left = room;
  const ascending = [...tokens].sort((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}

/** The most of a text that comes to `share` tokens with its mark; the mark alone where there is no room for more. */
function cutTo(share: number, text: string): string {
  const mark = `\n[… ${text.length.toLocaleString('en-US')} characters in all, the middle left out …]\n`;
  // One less, or the rounding of its parts would make it too long.
  const room = share - estimateTokens(mark) - 1;
  let characters = room > 0 ? Math.floor((text.length * room) / estimateTokens(text)) : 0;
  let cut = withoutMiddle(text, mark, characters);
  for (let tokens = estimateTokens(cut); characters > 0 && tokens > share; tokens = estimateTokens(cut)) {
    characters = Math.floor(characters * Math.min(SHORTER, share / tokens));
    cut = withoutMiddle(text, mark, characters);
  }
  return cut;
}

function withoutMiddle(text: string, mark: string, characters: number): string {
  const head = Math.floor(characters * HEAD_SHARE);
  const tail = characters - head;
  return `${text.slice(0, head)}${mark}${tail > 0 ? text.slice(-tail) : ''}`;
}
