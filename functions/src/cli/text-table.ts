import stringWidth from 'string-width';
import { printable } from './printable';

/** Between two columns. */
const GAP = '  ';
const NOTHING = '-';
/** However narrow a terminal is, so many columns of it are taken for a value. */
const VALUE_COLUMNS_MIN = 10;

/** Cells by heading; null for none. The texts may be anybody's. */
export type TableRow = Readonly<Record<string, string | null>>;

/**
 * Rows as a table for people. Columns in which no row has anything are left out. What does not fit `columnsMax` columns of
 * a terminal becomes a block of lines for each row, so that nothing is cut off. Each row, and each line of a block, begins
 * with what is ours, so that no text in a cell can pass for another row.
 */
export function textTable(rows: readonly TableRow[], columnsMax = process.stdout.columns ?? Number.POSITIVE_INFINITY) {
  const headings = Object.keys(rows[0] ?? {}).filter((heading) => rows.some((row) => row[heading] != null));
  const cells = rows.map((row) => headings.map((heading) => printable(row[heading] ?? NOTHING)));
  const widths = headings.map((heading, index) => widest([heading, ...cells.map((row) => row[index] ?? '')]));
  const width = widths.reduce((sum, one) => sum + one + GAP.length, -GAP.length);
  if (width <= columnsMax) return [headings, ...cells].map((row) => lineOf(row, widths)).join('\n');
  return cells.map((row) => blockOf(headings, row, columnsMax)).join('\n\n');
}

function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return cells
    .map((cell, index) => padded(cell, widths[index] ?? 0))
    .join(GAP)
    .trimEnd();
}

function blockOf(headings: readonly string[], cells: readonly string[], columnsMax: number): string {
  const indent = widest(headings) + GAP.length;
  const columns = Math.max(VALUE_COLUMNS_MIN, columnsMax - indent);
  const lines = cells.flatMap((cell, index) =>
    wrapped(cell, columns).map((part, row) => padded(row === 0 ? (headings[index] ?? '') : '', indent) + part),
  );
  return lines.join('\n');
}

/** A text in pieces of at most so many columns; what one sees as a character stays whole. */
function wrapped(text: string, columns: number): string[] {
  const lines = [''];
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && stringWidth(line + segment) > columns) lines.push(segment);
    else lines[lines.length - 1] = line + segment;
  }
  return lines;
}

function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - stringWidth(text)));
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => stringWidth(text)));
}
