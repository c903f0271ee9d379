import type { StudyRuns } from '../study/analysis/analyse.ts';
import { type FinishedRun, samplesArm, singleArm } from '../study/finished-run.ts';
import { uniform } from '../study/statistics/uniform.ts';
import { finishedRun } from './finished-runs.ts';

/** How often each arm is right on easy, middling and hard tasks, of which there are equally many in the long run. */
export const MODELS: Readonly<Record<string, readonly [number, number, number]>> = {
  ada: [0.95, 0.75, 0.4],
  blaise: [0.85, 0.6, 0.35],
  curie: [0.8, 0.45, 0.1],
};
/** One that helps, one that does nothing, one that does harm. */
export const STRATEGIES: Readonly<Record<string, readonly [number, number, number]>> = {
  helps: [0.99, 0.87, 0.6],
  same: [0.95, 0.75, 0.4],
  harms: [0.85, 0.5, 0.25],
};
const TASKS = 90;
const REPEATS = 3;
/** What a run of a strategy costs, in calls: as many samples can be voted on. */
const CALLS = 3;
/** How often the arms of a repeat share their luck. */
const SHARED = 0.5;

/** A whole study as it might come out, where it is known how good every arm is. */
export function simulatedStudy(seed: number): StudyRuns {
  const next = uniform(seed);
  const tasks = Array.from({ length: TASKS }, (_, index) => `task-${index}`);
  const runs = tasks.flatMap((task) => {
    const level = Math.floor(next() * 3);
    return Array.from({ length: REPEATS }, (_, index) => turn({ task, level, repeat: index + 1, next })).flat();
  });
  return { tasks, panel: Object.keys(MODELS), strategies: Object.keys(STRATEGIES), seed, runs, judgements: [] };
}

interface TurnOf {
  readonly task: string;
  readonly level: number;
  readonly repeat: number;
  readonly next: () => number;
}

function turn({ task, level, repeat, next }: TurnOf): FinishedRun[] {
  const luck = next();
  const right = (shares: readonly number[]): boolean => (next() < SHARED ? luck : next()) < (shares[level] ?? 0);
  const run = (arm: string, isRight: boolean, more: Partial<FinishedRun> = {}): FinishedRun =>
    finishedRun({ task, arm, repeat, isRight, answer: isRight ? 'Answer: yes' : 'Answer: no', ...more });
  const dear = { calls: CALLS, costNanoUsd: CALLS * 1_000_000 };
  return [
    ...Object.entries(MODELS).map(([model, shares]) => run(singleArm(model), right(shares))),
    ...Object.entries(STRATEGIES).map(([name, shares]) => run(name, right(shares), dear)),
    ...Object.entries(MODELS).flatMap(([model, shares]) =>
      Array.from({ length: CALLS }, (_, index) =>
        run(samplesArm(model), next() < (shares[level] ?? 0), { sample: index + 1 }),
      ),
    ),
  ];
}
