import { escaped, type Table, tablesOf } from './cells.ts';
import { findings, notesOf } from './findings.ts';
import type { StudyReport } from './markdown.ts';
import { differencePlot } from './plots.ts';

const STYLE = `
:root { color-scheme: light dark; --text: #1d2430; --back: #fff; --faint: #d9dee7; --plain: #5b6b82; --win: #17764a; --loss: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ef; --back: #14181f; --faint: #333c4a; --plain: #9aa8bd; --win: #5cc890; --loss: #ff8a80; } }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--faint); text-align: right; vertical-align: top; }
th:first-child, td:first-child { text-align: left; white-space: nowrap; }
.warning { border-left: 4px solid var(--loss); padding-left: 0.8rem; font-weight: 600; }
figure { margin: 2rem 0; } figcaption { font-weight: 600; }
svg { width: 100%; max-width: 760px; font: 12px system-ui, sans-serif; fill: var(--text); }
line { stroke-width: 2; } .grid { stroke: var(--faint); stroke-width: 1; }
line.plain { stroke: var(--plain); } circle.plain { fill: var(--plain); }
line.win { stroke: var(--win); } circle.win { fill: var(--win); } line.loss { stroke: var(--loss); } circle.loss { fill: var(--loss); }`;

/** The report as a page that loads nothing and runs nothing. */
export function htmlReport({ analysis, about, warnings }: StudyReport): string {
  const { rows } = analysis;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Quality study</title>',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<meta name="viewport" content="width=device-width"><style>${STYLE}</style></head><body><h1>Quality study</h1>`,
    list(about),
    ...warnings.map((warning) => `<p class="warning">${escaped(warning)}</p>`),
    ...tablesOf(analysis).map(table),
    list(findings(analysis)),
    differencePlot('Δ best single, percentage points', rows, ({ overBestSingle }) => overBestSingle),
    differencePlot('Δ equal spend, percentage points', rows, ({ overEqualSpend }) => overEqualSpend),
    ...notesOf(analysis).map((note) => `<p>${escaped(note)}</p>`),
    '</body></html>\n',
  ].join('\n');
}

function table({ columns, rows }: Table): string {
  const row = (tag: 'td' | 'th', cells: readonly string[]): string =>
    `<tr>${cells.map((cell, place) => `<${tag}>${escaped(tag === 'th' || place === 0 ? cell : unbroken(cell))}</${tag}>`).join('')}</tr>`;
  const body = rows.map((cells) => row('td', cells)).join('\n');
  return `<div class="wide"><table><thead>${row('th', columns)}</thead><tbody>${body}</tbody></table></div>`;
}

/** A cell whose figures stay in one line; its verdict may stand below. */
function unbroken(cell: string): string {
  return cell.replaceAll(' ', '\u00a0').replace(/\u00a0(?=wins|loses|no\u00a0)/, ' ');
}

function list(lines: readonly string[]): string {
  return `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`;
}
