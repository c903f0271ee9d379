import type { Analysis } from '../analysis/analyse.ts';
import { type Table, tablesOf } from './cells.ts';
import { findings, notesOf } from './findings.ts';

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
    ...tablesOf(analysis).flatMap(table),
    ...findings(analysis).map((one) => `- ${one}`),
    '',
    ...notesOf(analysis).flatMap((note) => [note, '']),
  ].join('\n');
}

function table({ columns, rows }: Table): string[] {
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
