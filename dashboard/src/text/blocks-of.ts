import type { Token, Tokens } from 'marked';
import type { Block, ListItem } from './blocks';
import { inlinesOf } from './inlines-of';

const KINDS: Readonly<Record<string, (token: Tokens.Generic) => Block[]>> = {
  space: () => [],
  def: () => [],
  checkbox: () => [],
  hr: () => [{ is: 'rule' }],
  paragraph: ({ tokens }) => [{ is: 'paragraph', inlines: inlinesOf(tokens) }],
  text: ({ tokens, raw }) => [{ is: 'paragraph', inlines: tokens ? inlinesOf(tokens) : [{ is: 'text', text: raw }] }],
  heading: ({ depth, tokens }) => [{ is: 'heading', level: depth, inlines: inlinesOf(tokens) }],
  code: ({ lang, text }) => [{ is: 'code', language: String(lang ?? '').split(/\s/, 1)[0] ?? '', text }],
  blockquote: ({ tokens }) => [{ is: 'quote', blocks: blocksOf(tokens) }],
  list: (token) => [listOf(token as Tokens.List)],
  table: (token) => [tableOf(token as Tokens.Table)],
  formula: ({ text, raw, isDisplay }) => [{ is: 'formula', text, raw, isDisplay }],
  note: ({ label, tokens }) => [{ is: 'note', label, inlines: inlinesOf(tokens) }],
};

/** The blocks of these tokens of marked; of a kind that is not known, markup above all, the text as it stands. */
export function blocksOf(tokens: readonly Token[] = []): Block[] {
  return tokens.flatMap((token) => KINDS[token.type]?.(token) ?? [{ is: 'literal', text: token.raw.trimEnd() }]);
}

function listOf({ ordered, start, items }: Tokens.List): Block {
  const shown = items.map(
    ({ task, checked, tokens }): ListItem => ({ blocks: blocksOf(tokens), ...(task && { isDone: checked === true }) }),
  );
  return { is: 'list', ...(ordered && { start: Number(start) || 1 }), items: shown };
}

function tableOf({ header, rows, align }: Tokens.Table): Block {
  const cellsOf = (cells: readonly Tokens.TableCell[]) => cells.map(({ tokens }) => inlinesOf(tokens));
  return { is: 'table', aligned: align, head: cellsOf(header), rows: rows.map(cellsOf) };
}
