import { COLUMNS, cellsOf } from './cells';
import { findings, NOTES } from './findings';
import type { StudyReport } from './study-report';

/** The report as Markdown. */
export function markdownReport({ analysis, about, warnings }: StudyReport): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(inCell).join(' | ')} |`;
  return [
    '# Quality study',
    '',
    ...about.map((one) => `- ${one}`),
    '',
    ...warnings.flatMap((warning) => [`**${warning}**`, '']),
    line(COLUMNS),
    `|${COLUMNS.map(() => '---').join('|')}|`,
    ...analysis.rows.map((row) => line(cellsOf(row))),
    '',
    ...findings(analysis).map((one) => `- ${one}`),
    '',
    ...NOTES.flatMap((note) => [note, '']),
  ].join('\n');
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
