import { COLUMNS, cellsOf } from './cells.ts';
import { findings, notesOf, openFindings } from './findings.ts';
import { OPEN_COLUMNS, openCellsOf } from './open-cells.ts';
import type { StudyReport } from './study-report.ts';

/** The report as Markdown. */
export function markdownReport({ analysis, about, warnings }: StudyReport): string {
  return [
    '# Quality study',
    '',
    ...about.map((one) => `- ${one}`),
    '',
    ...warnings.flatMap((warning) => [`**${warning}**`, '']),
    ...table(COLUMNS, analysis.rows.map(cellsOf)),
    ...(analysis.openRows.length > 0 ? table(OPEN_COLUMNS, analysis.openRows.map(openCellsOf)) : []),
    ...[...findings(analysis), ...openFindings(analysis)].map((one) => `- ${one}`),
    '',
    ...notesOf(analysis).flatMap((note) => [note, '']),
  ].join('\n');
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(inCell).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => '---').join('|')}|`, ...rows.map(line), ''];
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
