import stringWidth from 'string-width';
import { escaped } from '../lib/foreign-text';

/** Characters that a terminal does not show as they are: escape codes, reversed text, odd blanks, piled-up accents. */
const UNPRINTABLE = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|[^\S ]|(?<= ) |^ | $|(?<=\p{M}{2})\p{M}/gu;

/** The same within JSON, where blanks are harmless and line ends are escaped already. */
const UNPRINTABLE_IN_JSON = /[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu;

/** A text from outside as one line of visible characters: everything else is shown by its code, such as `\u001b`. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, escaped);
}

/** A value as JSON on one line that means the same and has only visible characters. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(UNPRINTABLE_IN_JSON, escaped);
}

const GAP = '  ';

/** Writes rows as a table. Texts that others chose come last: what they break over lines cannot pass for another row. */
export function textTable(rows: readonly object[]): string {
  const cells = rows.map((row) => new Map(Object.entries(row).map(([field, value]) => [field, cellOf(value)])));
  const fields = Object.keys(rows[0] ?? {}).filter((field) => cells.some((row) => row.get(field)));
  const headings = fields.map((field) => field.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase());
  const lines = [headings, ...cells.map((row) => fields.map((field) => printable(row.get(field) || '-')))];
  const widths = fields.map((_, column) => Math.max(...lines.map((line) => stringWidth(line[column] ?? ''))));
  const padded = (cell: string, column: number): string =>
    cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell)));
  return lines.map((line) => line.map(padded).join(GAP).trimEnd()).join('\n');
}

function cellOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  if (Array.isArray(value)) return value.join(', ');
  const known = Object.entries(value).filter(([, one]) => one !== null);
  return known.map(([name, one]) => `${name}=${one}`).join(', ');
}
