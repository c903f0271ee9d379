import type { Analysis } from '../analysis/analyse';

/** The table for programs: a line of JSON for each arm, shares from 0 to 1. */
export function tableLines({ rows }: Analysis): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
