import { common, createLowlight } from 'lowlight';
import { memo, type ReactNode } from 'react';
import { visibleText } from './visible-text';

const LOWLIGHT = createLowlight(common);

type Piece = ReturnType<typeof LOWLIGHT.highlight>['children'][number];

/** Code in colours; of a language that is not known, as it stands. */
export const HighlightedCode = memo(({ language, text }: { readonly language: string; readonly text: string }) => {
  if (!LOWLIGHT.registered(language)) return <code>{visibleText(text)}</code>;
  return <code>{LOWLIGHT.highlight(language, text).children.map(shown)}</code>;
});

function shown(piece: Piece, index: number): ReactNode {
  if (piece.type !== 'element') return piece.type === 'text' && visibleText(piece.value);
  return (
    <span key={index} className={String(piece.properties.className).replaceAll(',', ' ')}>
      {piece.children.map(shown)}
    </span>
  );
}
