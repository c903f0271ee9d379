import { createBlockReader } from './block-reader';
import type { Block, Inline, ListItem } from './blocks';

const WRITERS: { readonly [Kind in Block['is']]: (block: Extract<Block, { is: Kind }>) => string } = {
  paragraph: ({ inlines }) => inlineText(inlines),
  heading: ({ inlines }) => inlineText(inlines),
  code: ({ text }) => text,
  literal: ({ text }) => text,
  quote: ({ blocks }) => blocksText(blocks),
  list: ({ items, start }) => items.map((item, index) => itemText(item, start && start + index)).join('\n'),
  table: ({ head, rows }) => [head, ...rows].map((cells) => cells.map(inlineText).join('\t')).join('\n'),
  rule: () => '',
  formula: ({ text }) => text,
  note: ({ label, inlines }) => `[${label}] ${inlineText(inlines)}`,
};

/** A text in Markdown, without its marks. */
export function plainText(markdown: string): string {
  return blocksText(createBlockReader().read(markdown));
}

function blocksText(blocks: readonly Block[]): string {
  const write = (block: Block): string => (WRITERS[block.is] as (block: Block) => string)(block);
  return blocks.map(write).join('\n\n');
}

function inlineText(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      if (inline.is === 'break') return '\n';
      if (inline.is === 'note') return `[${inline.label}]`;
      return 'inlines' in inline ? inlineText(inline.inlines) : inline.text;
    })
    .join('');
}

function itemText({ blocks, isDone }: ListItem, place: number | undefined): string {
  const mark = place === undefined ? '-' : `${place}.`;
  const box = isDone === undefined ? '' : isDone ? '[x] ' : '[ ] ';
  return `${mark} ${box}${blocksText(blocks).replaceAll('\n', '\n  ')}`;
}
