import { comparableAnswer } from '../../../src/ensemble/agreement/comparable-answer';
import type { FinishedRun } from '../finished-run';

/** The run whose final answer most of them gave, the first of equals; answers of prose are equal only to the letter. */
export function majorityOf(runs: readonly FinishedRun[]): FinishedRun | undefined {
  if (runs.length < 2) return runs[0];
  const answered = runs.filter(({ fault }) => fault === undefined);
  const groups = [
    ...Map.groupBy(answered, ({ answer }) => comparableAnswer(answer) ?? `prose ${answer.trim()}`).values(),
  ];
  const most = Math.max(...groups.map(({ length }) => length));
  return groups.find(({ length }) => length === most)?.[0] ?? runs[0];
}
