import { replaceEqualDeep } from '@tanstack/react-query';
import type { Token } from 'marked';
import type { Block } from './blocks';
import { blocksOf } from './blocks-of';
import { openFormulaAt } from './latex';
import { type LexMemory, lexMarkdown } from './lex-markdown';

/** Reads a text that grows. What it has read and cannot change any more it neither reads nor makes again. */
export interface BlockReader {
  /** The blocks of the text so far; those that are as they were are the same objects. */
  read(text: string): readonly Block[];
}

const nothing = (): LexMemory => ({ names: Object.create(null), runs: new Map() });

/** A reader of one text. One that does not begin as the one before did is read anew. */
export function createBlockReader(): BlockReader {
  let memory = nothing();
  let settled: readonly Block[] = [];
  let settledText = '';
  let open: readonly Block[] = [];
  return {
    read: (text) => {
      const source = text.replace(/\r\n?/g, '\n');
      if (!source.startsWith(settledText)) [memory, settled, settledText, open] = [nothing(), [], '', []];
      const rest = source.slice(settledText.length);
      const tokens = lexMarkdown(rest, memory);
      const certain = certainOf(tokens, rest);
      const read = replaceEqualDeep(open, blocksOf(tokens));
      const count = blocksOf(certain).length;
      settled = count > 0 ? [...settled, ...read.slice(0, count)] : settled;
      settledText += rawOf(certain);
      open = read.slice(count);
      return [...settled, ...open];
    },
  };
}

/** All but the last token that is more than white space, and an open formula: that can go on, and what stands after it. */
function certainOf(tokens: readonly Token[], text: string): readonly Token[] {
  const last = tokens.findLastIndex(({ type }) => type !== 'space');
  const openAt = openFormulaAt(text);
  let end = 0;
  const certain = tokens.slice(0, Math.max(0, last)).filter(({ raw }) => {
    end += raw.length;
    return end <= openAt;
  });
  return text.startsWith(rawOf(certain)) ? certain : [];
}

function rawOf(tokens: readonly Token[]): string {
  return tokens.map(({ raw }) => raw).join('');
}
