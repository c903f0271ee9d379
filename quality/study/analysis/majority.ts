import { readAnswerLine } from '../../tasks/reading/answer-line.ts';
import type { FinishedRun } from '../finished-run.ts';
import { normalisedAnswer } from './normalised-answer.ts';

/** A longer last line is prose. */
const LAST_LINE_MAX = 120;

/** The run whose final answer most of them gave, the first of equals. */
export function majorityOf(runs: readonly FinishedRun[]): FinishedRun | undefined {
  if (runs.length < 2) return runs[0];
  const answered = runs.filter(({ fault }) => fault === undefined);
  const groups = [...Map.groupBy(answered, finalAnswer).values()];
  const most = Math.max(...groups.map(({ length }) => length));
  return groups.find(({ length }) => length === most)?.[0] ?? runs[0];
}

/** Samples are voted on again for every run that they stand beside. */
const known = new WeakMap<FinishedRun, string>();

function finalAnswer(run: FinishedRun): string {
  const answer = known.get(run) ?? (run.comesTo === undefined ? readAnswer(run.answer) : `to ${run.comesTo}`);
  known.set(run, answer);
  return answer;
}

/** The final answer: that of its answer line, else its last line, whose label may be of any language. */
function readAnswer(answer: string): string {
  const stated = readAnswerLine(answer)?.value;
  if (stated !== undefined) return `stated ${normalisedAnswer(stated)}`;
  const last = answer.trimEnd().split('\n').at(-1) ?? '';
  const normalised = normalisedAnswer(last);
  return last.length > LAST_LINE_MAX || normalised === '' ? answer : `line ${normalised}`;
}
