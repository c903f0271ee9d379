import type { Analysis } from '../analysis/analyse.ts';
import { COLUMNS, cellsOf, OPEN_COLUMNS, openCellsOf } from './cells.ts';
import { findings, notesOf, openFindings } from './findings.ts';

/** All that a report tells. */
export interface StudyReport {
  readonly analysis: Analysis;
  /** The set-up, line by line: tasks, models, seed, date. */
  readonly about: readonly string[];
  /** Warnings for readers before the figures, such as that the study was stopped at its cap. */
  readonly warnings: readonly string[];
}

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

/** The table for programs: a line of JSON for each arm, shares from 0 to 1. */
export function tableLines({ rows, openRows }: Analysis): string {
  return [...rows, ...openRows.map((row) => ({ kind: 'open questions', ...row }))]
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
}
