import { type Analysis, type ArmRow, analyse, type StudyRuns } from '../study/analysis/analyse.ts';
import { type FinishedRun, samplesArm, singleArm } from '../study/finished-run.ts';
import { type Interval, uniform } from '../study/statistics/mean-interval.ts';
import { finishedRun } from './support.ts';

/** Studies of arms whose worth is known, analysed as real ones are. */

type Shares = readonly [easy: number, middling: number, hard: number];

/** The chance of each arm to be right on easy, middling and hard tasks, of which there are equally many in the long run. */
const MODELS: Readonly<Record<string, Shares>> = {
  ada: [0.95, 0.75, 0.4],
  blaise: [0.85, 0.6, 0.35],
  curie: [0.8, 0.45, 0.1],
};
/** One that helps, one that does nothing, one that does harm. */
const STRATEGIES: Readonly<Record<string, Shares>> = {
  helps: [0.99, 0.87, 0.6],
  same: [0.95, 0.75, 0.4],
  harms: [0.85, 0.5, 0.25],
};
const isLongMode = process.env['TEST_LONG'] === '1';
const STUDIES = isLongMode ? 200 : 50;
const RESAMPLES = isLongMode ? 500 : 300;
/** Error of a share of so few studies. */
const CHANCE = isLongMode ? 0 : 0.05;
const TASKS = 90;
const REPEATS = 3;
/** Calls of a run of a strategy: as many samples can be voted on. */
const CALLS = 3;
/** The chance that the arms of a repeat share their luck. */
const SHARED = 0.5;

function simulatedStudy(seed: number): StudyRuns {
  const next = uniform(seed);
  const tasks = Array.from({ length: TASKS }, (_, index) => `task-${index}`);
  const runs = tasks.flatMap((task) => {
    const level = Math.floor(next() * 3);
    return Array.from({ length: REPEATS }, (_, index) => turn(next, level, { task, repeat: index + 1 })).flat();
  });
  return { tasks, panel: Object.keys(MODELS), strategies: Object.keys(STRATEGIES), seed, runs, judgements: [] };
}

function turn(next: () => number, level: number, fields: Partial<FinishedRun>): FinishedRun[] {
  const luck = next();
  const right = (shares: Shares): boolean => (next() < SHARED ? luck : next()) < (shares[level] ?? 0);
  const run = (arm: string, isRight: boolean, more: Partial<FinishedRun> = {}): FinishedRun =>
    finishedRun({ ...fields, arm, isRight, answer: isRight ? 'Answer: yes' : 'Answer: no', ...more });
  const models = Object.entries(MODELS);
  return [
    ...models.map(([model, shares]) => run(singleArm(model), right(shares))),
    ...Object.entries(STRATEGIES).map(([name, shares]) =>
      run(name, right(shares), { calls: CALLS, costNanoUsd: CALLS * 1_000_000 }),
    ),
    ...models.flatMap(([model, shares]) =>
      Array.from({ length: CALLS }, (_, index) =>
        run(samplesArm(model), next() < (shares[level] ?? 0), { sample: index + 1 }),
      ),
    ),
  ];
}

const analyses = Array.from({ length: STUDIES }, (_, seed) => analyse(simulatedStudy(seed), RESAMPLES));
const arms: Readonly<Record<string, readonly number[]>> = {
  ...Object.fromEntries(Object.entries(MODELS).map(([model, shares]) => [singleArm(model), shares])),
  ...STRATEGIES,
};
const meanOf = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0) / shares.length;
/** Three samples of which two or three are right. */
const voted = (shares: readonly number[]): number => meanOf(shares.map((p) => p ** 3 + 3 * p ** 2 * (1 - p)));

/** The true difference to the models that each half has chosen for the other; none is compared with itself. */
const over = (baseline: (shares: readonly number[]) => number) => (row: ArmRow, analysis: Analysis) => {
  const others = analysis.crossFit.bestFor.filter((model) => row.arm !== singleArm(model));
  return meanOf(arms[row.arm] ?? []) - meanOf(others.map((model) => baseline(MODELS[model] ?? [])));
};

it.each<[string, number, (row: ArmRow) => Interval | undefined, (row: ArmRow, analysis: Analysis) => number]>([
  ['how often an arm is right', 6, (row) => row.correct, ({ arm }) => meanOf(arms[arm] ?? [])],
  ['the difference to the best single model', 5, (row) => row.overBestSingle, over(meanOf)],
  ['the difference to as many samples of it as a run costs', 3, (row) => row.overEqualSpend, over(voted)],
])('intervals hold %s, 93 to 98 times of 100', (_, count, of, truth) => {
  const hits = analyses.flatMap((analysis) =>
    analysis.rows.flatMap((row) => {
      const interval = row.arm in arms ? of(row) : undefined;
      const value = interval && truth(row, analysis);
      return interval && value !== undefined ? [interval.low <= value && value <= interval.high] : [];
    }),
  );
  expect(hits.length).toBeGreaterThanOrEqual(STUDIES * count);
  const share = hits.filter(Boolean).length / hits.length;
  expect(share).toBeGreaterThanOrEqual(0.93);
  // Nor are they so wide that they say nothing.
  expect(share).toBeLessThanOrEqual(0.98);
});

it.each([
  ['helps', 'wins', 0.8, 1],
  ['helps', 'loses', 0, 0],
  ['harms', 'loses', 0.8, 1],
  ['harms', 'wins', 0, 0],
  ['same', 'no difference shown', 0.93 - CHANCE, 1],
])('of an arm that %s, the verdict is “%s” in a share of %d to %d', (arm, verdict, least, most) => {
  const verdicts = analyses.map(({ rows }) => rows.find((row) => row.arm === arm)?.overBestSingle?.verdict);
  const share = verdicts.filter((one) => one === verdict).length / STUDIES;
  expect(share).toBeGreaterThanOrEqual(least);
  expect(share).toBeLessThanOrEqual(most);
});
