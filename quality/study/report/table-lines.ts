import type { Analysis } from '../analysis/analyse.ts';

/** The table for programs: a line of JSON for each arm, shares from 0 to 1. */
export function tableLines({ rows, openRows }: Analysis): string {
  return [...rows, ...openRows.map((row) => ({ kind: 'open questions', ...row }))]
    .map((row) => `${JSON.stringify(row)}\n`)
    .join('');
}
