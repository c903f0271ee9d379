import type { Token } from 'marked';
import type { Block } from './blocks';
import { blocksOf } from './blocks-of';
import { type LinkNames, lexMarkdown } from './lex-markdown';

/** Reads a text that grows. What it has read and cannot change any more it neither reads nor makes again. */
export interface BlockReader {
  /** The blocks of the text so far; those that are as they were are the same objects. */
  read(text: string): readonly Block[];
}

/** A reader of one text. One that does not begin as the one before did is read anew. */
export function createBlockReader(): BlockReader {
  let names: LinkNames = Object.create(null);
  let settled: readonly Block[] = [];
  let settledText = '';
  return {
    read: (text) => {
      const source = text.replace(/\r\n?/g, '\n');
      if (!source.startsWith(settledText)) [names, settled, settledText] = [Object.create(null), [], ''];
      const rest = source.slice(settledText.length);
      const tokens = lexMarkdown(rest, names);
      const certain = certainOf(tokens, rest);
      settled = certain.length > 0 ? [...settled, ...blocksOf(certain)] : settled;
      settledText += rawOf(certain);
      return [...settled, ...blocksOf(tokens.slice(certain.length))];
    },
  };
}

/** All but the last token that is more than white space: that one can go on, and what stands after it with it. */
function certainOf(tokens: readonly Token[], text: string): readonly Token[] {
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  const certain = tokens.slice(0, Math.max(0, last));
  return text.startsWith(rawOf(certain)) ? certain : [];
}

function rawOf(tokens: readonly Token[]): string {
  return tokens.map(({ raw }) => raw).join('');
}
