import { createContext, memo, type ReactNode, useContext } from 'react';
import type { Block, Cell, ListItem, Table } from './blocks';
import { CodeBlock } from './code-block';
import { FormulaView } from './formula-view';
import { Inlines, type LinkComponent } from './inlines';
import { LongText } from './long-text';
import styles from './markdown.module.css';
import { Note } from './notes';

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
      <p>
        <Inlines inlines={inlines} Link={Link} />
      </p>
    );
  },
  heading: ({ level, inlines }, Link) => (
    <TextHeading level={level}>
      <Inlines inlines={inlines} Link={Link} />
    </TextHeading>
  ),
  code: ({ language, text }) => <CodeBlock language={language} text={text} />,
  literal: ({ text }) => (
    <div className={styles.literal}>
      <LongText text={text} />
    </div>
  ),
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
  table: ({ head, rows, aligned }, Link) => (
    // A wide table is scrolled by itself, also with the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached
    <div role="group" aria-label="Table" tabIndex={0} dir="auto">
      <table>
        <thead>
          <Row cells={head} aligned={aligned} Link={Link} as="th" />
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: what stands at a place of a text is known by its place
            <Row key={index} cells={cells} aligned={aligned} Link={Link} as="td" />
          ))}
        </tbody>
      </table>
    </div>
  ),
  rule: () => <hr />,
  formula: (formula) => <FormulaView {...formula} />,
  note: ({ label, inlines }, Link) => (
    <Note label={label}>
      <Inlines inlines={inlines} Link={Link} />
    </Note>
  ),
};

/** The rank of the headings of texts: all of one, for the outline of the page is not for models to make. */
export const HeadingRank = createContext<3 | 4>(4);

function TextHeading({ level, children }: { readonly level: number; readonly children: ReactNode }) {
  const Tag = `h${useContext(HeadingRank)}` as const;
  return <Tag data-level={level}>{children}</Tag>;
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

interface ItemProps {
  readonly item: ListItem;
  readonly Link: LinkComponent;
}

/** An item of a list, made again only when it is another one. */
const Item = memo(function Item({ item: { blocks, isDone }, Link }: ItemProps) {
  const content = <BlockViews blocks={blocks} Link={Link} />;
  if (isDone === undefined) return <li>{content}</li>;
  return (
    <li data-task={isDone ? 'done' : 'open'}>
      <span role="img" aria-label={isDone ? 'Done:' : 'To do:'}>
        {isDone ? '☑' : '☐'}
      </span>
      <div>{content}</div>
    </li>
  );
});

interface RowProps {
  readonly cells: readonly Cell[];
  readonly aligned: Table['aligned'];
  readonly Link: LinkComponent;
  readonly as: 'th' | 'td';
}

/** A row of a table, made again only when it is another one. */
const Row = memo(function Row({ cells, aligned, Link, as: Tag }: RowProps) {
  return (
    <tr>
      {cells.map((inlines, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what stands at a place of a text is known by its place
        <Tag key={index} data-align={aligned[index] ?? undefined}>
          <Inlines inlines={inlines} Link={Link} />
        </Tag>
      ))}
    </tr>
  );
});
