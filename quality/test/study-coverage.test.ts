import { type Analysis, type ArmRow, analyse } from '../study/analysis/analyse.ts';
import type { Interval } from '../study/statistics/mean-interval.ts';
import { MODELS, STRATEGIES, simulatedStudy } from './simulated-study.ts';

/** Studies of arms whose worth is known, analysed as real ones are. */
const STUDIES = 200;
const RESAMPLES = 500;
const analyses = Array.from({ length: STUDIES }, (_, seed) => analyse(simulatedStudy(seed), RESAMPLES));

const meanOf = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0) / shares.length;
/** Three samples of which two or three are right. */
const voted = (shares: readonly number[]): number => meanOf(shares.map((p) => p ** 3 + 3 * p ** 2 * (1 - p)));
const arms: Readonly<Record<string, readonly number[]>> = {
  ...Object.fromEntries(Object.entries(MODELS).map(([model, shares]) => [`single ${model}`, shares])),
  ...STRATEGIES,
};

/** What a figure is in truth, against the models that each half has chosen for the other; none is compared with itself. */
function truth(row: ArmRow, { crossFit }: Analysis, baseline: (shares: readonly number[]) => number): number {
  const others = crossFit.bestFor.filter((model) => row.arm !== `single ${model}`);
  const chosen = others.map((model) => baseline(MODELS[model] ?? []));
  return meanOf(arms[row.arm] ?? []) - meanOf(chosen);
}

function coverage(of: (row: ArmRow) => Interval | undefined, isTrue: (row: ArmRow, analysis: Analysis) => number) {
  const hits = analyses.flatMap((analysis) =>
    analysis.rows.flatMap((row) => {
      const [interval, value] = [of(row), row.arm in arms ? isTrue(row, analysis) : undefined];
      // A model compared with itself differs from itself in nothing.
      if (!interval || value === undefined) return [];
      return [interval.low <= value && value <= interval.high];
    }),
  );
  return { count: hits.length, share: hits.filter(Boolean).length / hits.length };
}

describe('the intervals of 200 studies of arms whose worth is known', () => {
  it('hold how often an arm is right, 93 times of 100 or more', () => {
    const { count, share } = coverage(
      ({ correct }) => correct,
      ({ arm }) => meanOf(arms[arm] ?? []),
    );
    expect(count).toBe(STUDIES * 6);
    expect(share).toBeGreaterThanOrEqual(0.93);
    // Nor are they so wide that they say nothing.
    expect(share).toBeLessThanOrEqual(0.98);
  });

  it('hold the difference to the best single model', () => {
    const { count, share } = coverage(
      ({ overBestSingle }) => overBestSingle,
      (row, analysis) => truth(row, analysis, meanOf),
    );
    expect(count).toBeGreaterThan(STUDIES * 5);
    expect(share).toBeGreaterThanOrEqual(0.93);
    expect(share).toBeLessThanOrEqual(0.98);
  });

  it('hold the difference to as many samples of it as a run costs', () => {
    const { count, share } = coverage(
      ({ overEqualSpend }) => overEqualSpend,
      (row, analysis) => truth(row, analysis, voted),
    );
    expect(count).toBe(STUDIES * 3);
    expect(share).toBeGreaterThanOrEqual(0.93);
    expect(share).toBeLessThanOrEqual(0.98);
  });
});

describe('the verdicts of these studies', () => {
  const verdicts = (arm: string) =>
    analyses.map(({ rows }) => rows.find((row) => row.arm === arm)?.overBestSingle?.verdict);
  const share = (arm: string, verdict: string) => verdicts(arm).filter((one) => one === verdict).length / STUDIES;

  it('find the strategy that helps and the one that harms', () => {
    expect(share('helps', 'wins')).toBeGreaterThan(0.8);
    expect(share('helps', 'loses')).toBe(0);
    expect(share('harms', 'loses')).toBeGreaterThan(0.8);
    expect(share('harms', 'wins')).toBe(0);
  });

  it('call one that does nothing by its name', () => {
    expect(share('same', 'no difference shown')).toBeGreaterThanOrEqual(0.93);
  });
});
