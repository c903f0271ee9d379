import type { FinishedRun } from '../finished-run.ts';

/** One arm's run of a task, or all samples of one that are voted on together. */
export interface Turn {
  readonly repeat: number;
  readonly runs: readonly FinishedRun[];
}

/** What an arm did, by task. */
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
