const COLUMNS = [
  ['measure', 'measure'],
  ['direct', 'direct'],
  ['ours', 'ours'],
  ['change', 'added or ratio'],
  ['target', 'target'],
  ['ok', 'ok?'],
];

/** A figure with its unit, to a sensible number of digits; NaN (a figure this system cannot give) is `skipped`. */
export function figure(value, unit = '') {
  if (value === undefined) return '';
  if (Number.isNaN(value)) return 'skipped';
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return `${value.toFixed(digits)}${unit && ` ${unit}`}`;
}

/** `direct → ours` as a difference. */
export function added(direct, ours, unit) {
  return Number.isNaN(ours - direct) ? '' : `+${figure(ours - direct, unit)}`.replace('+-', '-');
}

/** `direct → ours` as a factor. */
export function ratio(direct, ours) {
  return Number.isNaN(ours / direct) ? '' : `× ${figure(ours / direct)}`;
}

/** A target that a figure must not exceed; the last two columns of a row. */
export function atMost(limit, value, unit) {
  return { target: `≤ ${limit} ${unit}`.trim(), ok: verdict(value, value <= limit) };
}

/** A target that a figure must reach. */
export function atLeast(limit, value, unit) {
  return { target: `≥ ${limit} ${unit}`.trim(), ok: verdict(value, value >= limit) };
}

function verdict(value, reached) {
  if (Number.isNaN(value)) return 'skipped';
  return reached ? 'ok' : 'MISS';
}

/** Rows of text as an aligned table; each column is told by its key in the rows and its heading. */
export function renderTable(rows, columns = COLUMNS) {
  const lines = [columns.map(([, heading]) => heading), ...rows.map((row) => columns.map(([key]) => row[key] ?? ''))];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const text = lines.map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
  text.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return text.join('\n');
}
