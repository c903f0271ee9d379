const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;
const LINE_END = '\r\n';

/** A table as CSV (RFC 4180). Cells that a spreadsheet would take for formulas begin with an apostrophe. */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((cells) => cells.map(cellOf).join(',') + LINE_END).join('');
}

function cellOf(value: string | number): string {
  const text = String(value);
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
