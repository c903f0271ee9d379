import { type ComponentType, Fragment, type ReactNode } from 'react';
import type { Inline } from './blocks';
import { FormulaView } from './formula-view';
import { NoteReference } from './notes';
import { visibleText } from './visible-text';

/** The component that shows a link. */
export type LinkComponent = ComponentType<{
  readonly href: string;
  readonly text: string;
  readonly children: ReactNode;
}>;

/** Running text. */
export function Inlines({ inlines, Link }: { readonly inlines: readonly Inline[]; readonly Link: LinkComponent }) {
  return inlines.map((inline, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: what stands at a place of a text is known by its place
    <Fragment key={index}>{shown(inline, Link)}</Fragment>
  ));
}

function shown(inline: Inline, Link: LinkComponent): ReactNode {
  if (inline.is === 'text') return visibleText(inline.text);
  if (inline.is === 'code') return <code dir="ltr">{visibleText(inline.text)}</code>;
  if (inline.is === 'break') return <br />;
  if (inline.is === 'formula') return <FormulaView {...inline} />;
  if (inline.is === 'note') return <NoteReference label={inline.label} />;
  const children = <Inlines inlines={inline.inlines} Link={Link} />;
  if (inline.is === 'strong') return <strong>{children}</strong>;
  if (inline.is === 'emphasis') return <em>{children}</em>;
  if (inline.is === 'deleted') return <del>{children}</del>;
  return (
    <Link href={inline.href} text={textIn(inline.inlines)}>
      {children}
    </Link>
  );
}

function textIn(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => ('inlines' in inline ? textIn(inline.inlines) : 'text' in inline ? inline.text : ' '))
    .join('');
}
