import { readAnswerLine } from '../../tasks/reading/answer-line.ts';
import type { FinishedRun } from '../finished-run.ts';
import { mean } from '../statistics/mean-interval.ts';

/** One arm's run of a task, or all samples of one that are voted on together. */
export interface Turn {
  readonly repeat: number;
  readonly runs: readonly FinishedRun[];
}

/** The turns of an arm, by task. */
export type TurnsByTask = ReadonlyMap<string, readonly Turn[]>;

/** The runs of each arm, by arm, task and repeat; samples in their order. */
export function runsByArm(runs: readonly FinishedRun[]): ReadonlyMap<string, TurnsByTask> {
  const byArm = Map.groupBy(runs, ({ arm }) => arm);
  return new Map([...byArm].map(([arm, ofArm]) => [arm, runsByTask(ofArm)]));
}

function runsByTask(runs: readonly FinishedRun[]): TurnsByTask {
  const byTask = Map.groupBy(runs, ({ task }) => task);
  return new Map([...byTask].map(([task, ofTask]) => [task, turnsOf(ofTask)]));
}

function turnsOf(runs: readonly FinishedRun[]): Turn[] {
  const byRepeat = Map.groupBy(runs, ({ repeat }) => repeat);
  return [...byRepeat].map(([repeat, ofRepeat]) => ({
    repeat,
    runs: ofRepeat.toSorted((a, b) => a.sample - b.sample),
  }));
}

/** The share of repeats in which an arm was right on a task; undefined where it has not run, or no check can tell. */
export function shareRight(turns: readonly Turn[] | undefined): number | undefined {
  const rights = (turns ?? []).map(isRight).filter((right) => right !== undefined);
  return mean(rights.map(Number));
}

/** True if a turn was right; of samples that are voted on, if the majority is. */
export function isRight({ runs }: Pick<Turn, 'runs'>): boolean | undefined {
  return majorityOf(runs)?.isRight ?? undefined;
}

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

/** Form that answers share which differ only in case, spaces, markup, a final point or the spelling of a number. */
export function normalisedAnswer(answer: string): string {
  const words = answer
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\\(?:boxed|text|mathrm)\{([^{}]*)\}|\\[()[\]]/g, '$1')
    .replace(/[*_`$"'“”‘’«»「」]/g, '')
    .replace(/(?<=\d),(?=\d{3}\b)/g, '')
    .replace(/−(?=\d)/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!;:。]{1,9}$/, '');
  return /^[+-]?\d{1,15}(?:\.\d{1,9})?$/.test(words) ? String(Number(words)) : words;
}
