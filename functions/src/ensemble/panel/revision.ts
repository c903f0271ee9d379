import { saysUnchanged } from '../../prompting/says-unchanged';
import { parseTrailer, type Trailed } from '../../prompting/trailer';

/** How models say whether their text is another now, and which of the two words asked for that is. */
const WORDS: Readonly<Record<string, 'kept' | 'changed'>> = {
  ...{ kept: 'kept', keep: 'kept', unchanged: 'kept', none: 'kept', 'no change': 'kept', 'no changes': 'kept' },
  ...{ changed: 'changed', change: 'changed', changes: 'changed', revised: 'changed', updated: 'changed' },
};
const PATTERN = Object.keys(WORDS)
  .sort((a, b) => b.length - a.length)
  .join('|');

/** Splits a reply from its last line `REVISION: kept` or `changed`; a remark that nothing changes is no text. */
export function parseRevisionLine(reply: string): Omit<Trailed, 'word'> & { readonly word?: 'kept' | 'changed' } {
  const { text, word = '', rest } = parseTrailer(reply, 'REVISION', PATTERN);
  const meant = WORDS[word];
  return { text: saysUnchanged(text) ? '' : text, rest, ...(meant && { word: meant }) };
}
