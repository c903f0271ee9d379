import stringWidth from 'string-width';
import { printable } from './printable';

const GAP = '  ';
const NOTHING = '-';

/** Cells by heading; null for none. The texts may be anybody's. */
export type TableRow = Readonly<Record<string, string | null>>;

/**
 * Writes rows as a table for people. Columns in which no row has anything are left out. Each row begins with what is ours, so
 * that no text in a cell can pass for another row.
 */
export function textTable(rows: readonly TableRow[]): string {
  const headings = Object.keys(rows[0] ?? {}).filter((heading) => rows.some((row) => row[heading] != null));
  const lines = [headings, ...rows.map((row) => headings.map((heading) => printable(row[heading] ?? NOTHING)))];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => stringWidth(line[column] ?? ''))));
  const padded = (cell: string, column: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
  return lines.map((line) => line.map(padded).join(GAP).trimEnd()).join('\n');
}
