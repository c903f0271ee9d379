import { createContext, memo, type ReactNode, useContext } from 'react';
import type { Block, Cell, ListItem } from './blocks';
import { Inlines, type LinkComponent } from './inlines';
import { LongText } from './long-text';

interface BlockViewProps {
  readonly block: Block;
  readonly Link: LinkComponent;
}

type Views = {
  readonly [Kind in Block['is']]: (block: Extract<Block, { is: Kind }>, Link: LinkComponent) => ReactNode;
};

const VIEWS: Views = {
  paragraph: ({ inlines }, Link) => {
    const [only] = inlines;
    if (inlines.length === 1 && only?.is === 'text') return <LongText text={only.text} />;
    return (
      <p dir="auto">
        <Inlines inlines={inlines} Link={Link} />
      </p>
    );
  },
  heading: ({ level, inlines }, Link) => (
    <TextHeading level={level}>
      <Inlines inlines={inlines} Link={Link} />
    </TextHeading>
  ),
  code: ({ language, text }) => (
    <pre dir="ltr" data-language={language || undefined}>
      <LongText text={text} as="code" />
    </pre>
  ),
  literal: ({ text }) => <LongText text={text} />,
  quote: ({ blocks }, Link) => (
    <blockquote dir="auto">
      <BlockViews blocks={blocks} Link={Link} />
    </blockquote>
  ),
  list: ({ start, items }, Link) => {
    const shown = items.map((item, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: what stands at a place of a text is known by its place
      <Item key={index} item={item} Link={Link} />
    ));
    return start === undefined ? (
      <ul dir="auto">{shown}</ul>
    ) : (
      <ol dir="auto" start={start}>
        {shown}
      </ol>
    );
  },
  table: ({ head, rows }, Link) => (
    // A wide table is scrolled by itself, also with the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached
    <div role="group" aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <Cells cells={head} Link={Link} as="th" />
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what stands at a place of a text is known by its place
            <tr key={index}>
              <Cells cells={cells} Link={Link} as="td" />
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  ),
  rule: () => <hr />,
};

/** The rank of the headings of texts: all of one, for the outline of the page is not for models to make. */
export const HeadingRank = createContext<3 | 4>(4);

function TextHeading({ level, children }: { readonly level: number; readonly children: ReactNode }) {
  const Tag = `h${useContext(HeadingRank)}` as const;
  return (
    <Tag dir="auto" data-level={level}>
      {children}
    </Tag>
  );
}

/** One block of a text, made again only when it is another one. */
const BlockView = memo(function BlockView({ block, Link }: BlockViewProps) {
  return (VIEWS[block.is] as (block: Block, Link: LinkComponent) => ReactNode)(block, Link);
});

/** The blocks of a text. */
export function BlockViews({ blocks, Link }: { readonly blocks: readonly Block[]; readonly Link: LinkComponent }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what stands at a place of a text is known by its place
    <BlockView key={index} block={block} Link={Link} />
  ));
}

function Item({ item: { blocks, isDone }, Link }: { readonly item: ListItem; readonly Link: LinkComponent }) {
  return (
    <li>
      {isDone !== undefined && (isDone ? '☑ ' : '☐ ')}
      <BlockViews blocks={blocks} Link={Link} />
    </li>
  );
}

interface CellsProps {
  readonly cells: readonly Cell[];
  readonly Link: LinkComponent;
  readonly as: 'th' | 'td';
}

function Cells({ cells, Link, as: Tag }: CellsProps) {
  return cells.map((inlines, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what stands at a place of a text is known by its place
    <Tag key={index} dir="auto">
      <Inlines inlines={inlines} Link={Link} />
    </Tag>
  ));
}
