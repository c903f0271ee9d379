import { visibleText } from './visible-text';

/** Laying out a paragraph takes more than its length in time: a longer one is shown in pieces. */
const PIECE_CHARACTERS = 10_000;

interface LongTextProps {
  readonly text: string;
  readonly as?: 'p' | 'code';
}

/** A text as it stands, however long it is; the pieces of a long one are laid out when they come into view. */
export function LongText({ text, as: Tag = 'p' }: LongTextProps) {
  if (text.length <= PIECE_CHARACTERS) return <Tag>{visibleText(text)}</Tag>;
  const pieces = Array.from({ length: Math.ceil(text.length / PIECE_CHARACTERS) }, (_, index) =>
    text.slice(index * PIECE_CHARACTERS, (index + 1) * PIECE_CHARACTERS),
  );
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece is known by its place
    <Tag key={index} data-piece="">
      {visibleText(piece)}
    </Tag>
  ));
}
