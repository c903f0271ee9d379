/** The value below which `share` (0 to 1) of the numbers lie, by nearest rank. NaN for an empty list. */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The middle number; of an even count the mean of the middle two. NaN for an empty list. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Length of time that intervals `[startMs, endMs]` cover together. */
export function unionMs(intervals) {
  let covered = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [startMs, endMs] of [...intervals].sort((a, b) => a[0] - b[0])) {
    covered += Math.max(0, endMs - Math.max(startMs, reached));
    reached = Math.max(reached, endMs);
  }
  return covered;
}

/** The slope of the second half of a curve ÷ that of the first: 1 for a straight line, 2 and more where it is quadratic. */
export function growthOf([a, b, c], [first, middle, last]) {
  return (last - middle) / (c - b) / ((middle - first) / (b - a));
}

/** A figure to a sensible number of digits; `–` where there is none. */
export function figure(value) {
  if (value === undefined || Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** Rows of cells as an aligned table; the first row is the heading. */
export function renderTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
  return lines.toSpliced(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`).join('\n');
}

/**
 * The table of a comparison: a row for each figure, a column for each server. A cell is the median of the rounds and, behind
 * `×`, ours ÷ it as the median of the rounds' ratios. A figure that is `isAdded` is less what bare took in the same round.
 */
export function comparison({ contenders, rounds, figures }) {
  const heading = ['', ...contenders.map(({ title }) => title), 'target', 'ok?'];
  const rows = figures.map((one) => {
    const told = rounds.map((round) => valuesOf(round, one));
    const cells = contenders.map(({ name }) => cellOf(told, name, one));
    return [`${one.title}${one.isAdded ? ', added' : ''}, ${one.unit}`, ...cells, ...aim(told, one)];
  });
  return [heading, ...rows];
}

/** The values of one figure in one round, by name of the server. */
function valuesOf(round, { key, isAdded }) {
  const having = Object.entries(round).filter(([, values]) => values[key] !== undefined);
  const less = isAdded ? round.bare[key] : 0;
  return Object.fromEntries(having.map(([name, values]) => [name, values[key] - (name === 'bare' ? 0 : less)]));
}

function cellOf(told, name, { isAdded }) {
  const values = told.map((round) => round[name]).filter((value) => value !== undefined);
  if (values.length === 0) return '–';
  const cell = figure(median(values));
  // What ours adds is no multiple of what bare takes.
  const isCompared = name !== 'ours' && !(isAdded && name === 'bare');
  return isCompared ? `${cell} ×${figure(median(ratiosTo(told, name)))}` : cell;
}

function ratiosTo(told, name) {
  return told.map((round) => round.ours / round[name]).filter((ratio) => ratio > 0 && Number.isFinite(ratio));
}

/** A target is a limit, or another server's figure. */
function aim(told, { atMost, atLeast }) {
  const target = atMost ?? atLeast;
  if (target === undefined) return ['', ''];
  const isName = typeof target === 'string';
  const value = median(isName ? ratiosTo(told, target) : told.map(({ ours }) => ours));
  const limit = isName ? 1 : target;
  const isReached = atMost === undefined ? value >= limit : value <= limit;
  const words = `${atMost === undefined ? '≥' : '≤'} ${isName ? `${target}’s` : target}`;
  return [words, Number.isNaN(value) ? '' : isReached ? 'ok' : 'MISS'];
}
