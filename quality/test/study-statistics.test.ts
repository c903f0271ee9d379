import { analyse, EQUAL_SPEND } from '../study/analysis/analyse.ts';
import { samplesFor } from '../study/analysis/equal-spend.ts';
import { majorityOf } from '../study/analysis/majority.ts';
import { holm } from '../study/statistics/holm.ts';
import { meanInterval } from '../study/statistics/mean-interval.ts';
import { quantile } from '../study/statistics/quantile.ts';
import { student95 } from '../study/statistics/student.ts';
import { finishedRun } from './finished-runs.ts';

const RESAMPLING = { seed: 1, resamples: 20_000 };

describe('an interval', () => {
  it('is as wide as Student says of values that are nearly normal', () => {
    const values = Array.from({ length: 40 }, (_, index) => index / 40);
    const interval = meanInterval(values, -1, RESAMPLING);
    // The mean of 0, 1/40, … 39/40, and 2.0227 standard errors: the variance of 0 … 39 is 133.25 over 40.
    const error = Math.sqrt((133.25 * 40) / 39) / 40 / Math.sqrt(40);
    expect(interval?.mean).toBeCloseTo(0.4875, 10);
    expect(interval?.low).toBeCloseTo(0.4875 - 2.0227 * error, 2);
    expect(interval?.high).toBeCloseTo(0.4875 + 2.0227 * error, 2);
  });

  it('is not too narrow for few tasks', () => {
    // The variance of 0, 1, … 7 is 42 over 7; of 8 tasks Student says 2.3646 standard errors.
    const error = Math.sqrt(42 / 7) / 10 / Math.sqrt(8);
    const { low = 0, high = 0 } = meanInterval([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], -1, RESAMPLING) ?? {};
    expect((high - low) / 2 / error).toBeGreaterThan(2.2);
    expect((high - low) / 2 / error).toBeLessThan(2.5);
  });

  it('knows the quantiles of Student', () => {
    for (const [degrees, quantile95] of [
      [1, 12.706],
      [5, 2.571],
      [6, 2.447],
      [17, 2.11],
      [60, 2],
      [464, 1.965],
    ] as const) {
      expect(student95(degrees)).toBeCloseTo(quantile95, 2);
    }
  });

  it('is not a point where all tasks came out alike', () => {
    // 10 of 10: Clopper and Pearson say 69.15 %.
    const all = meanInterval(Array(10).fill(1), 0, RESAMPLING);
    expect(all).toMatchObject({ mean: 1, high: 1 });
    expect(all?.low).toBeCloseTo(0.6915, 4);
    const same = meanInterval(Array(10).fill(0), -1, RESAMPLING);
    expect([same?.p, same?.low, same?.high].map((value) => value?.toFixed(4))).toEqual(['1.0000', '-0.3085', '0.3085']);
    // Ten tasks, all of them in favour: two in 1,024 by chance.
    expect(meanInterval(Array(10).fill(1), -1, RESAMPLING)?.p).toBeCloseTo(2 / 1024, 10);
  });

  it('stays within what is possible, is the same for the same seed, and there is none of nothing', () => {
    const values = [1, 1, 1, 1, 1, 1, 1, 0];
    expect(meanInterval(values, 0, RESAMPLING)?.high).toBe(1);
    expect(meanInterval(values, 0, RESAMPLING)).toEqual(meanInterval(values, 0, RESAMPLING));
    expect(meanInterval([], 0, RESAMPLING)).toBeUndefined();
  });

  it('has a p below 5 % just where it leaves 0 out', () => {
    for (const positive of [10, 12, 14, 16, 18, 20]) {
      const values = [...Array(positive).fill(1), ...Array(30 - positive).fill(-1)];
      const { low, high, p } = meanInterval(values, -1, RESAMPLING) ?? { low: 0, high: 0, p: 0 };
      expect([positive, p < 0.05]).toEqual([positive, low > 0 || high < 0]);
    }
  });
});

it('adjusts p values after Holm', () => {
  // Sorted 0.005, 0.01, 0.03, 0.04: times 4, 3, 2, 1, and never less than the one before.
  expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => p.toFixed(3))).toEqual(['0.030', '0.060', '0.060', '0.020']);
  expect(holm([0.6, 0.7])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});

it('takes the nearest value that there is for a quantile', () => {
  expect(quantile([30, 10, 20, 40], 0.5)).toBe(20);
  expect(quantile([30, 10, 20, 40], 0.95)).toBe(40);
  expect(quantile([], 0.5)).toBeUndefined();
});

describe('equal spend', () => {
  const sample = (index: number, answer: string, isRight: boolean, costNanoUsd = 10) =>
    finishedRun({ arm: 'samples a', sample: index, answer, isRight, costNanoUsd });
  const cost = ({ costNanoUsd }: { costNanoUsd: number }) => costNanoUsd;

  it('votes on final answers, whatever words stand before them, and takes the first of equals', () => {
    const runs = [
      sample(1, 'Answer: 7', false),
      sample(2, 'Well.\nAnswer: 1,200', true),
      sample(3, '**Answer:** 1200.', true),
    ];
    expect(majorityOf(runs)).toBe(runs[1]);
    expect(majorityOf(runs.slice(0, 2))).toBe(runs[0]);
  });

  it('votes on what answers come to where their checker tells it', () => {
    const last = '```';
    const runs = [
      { ...sample(1, `f${last}`, false), comesTo: 'a' },
      { ...sample(2, `g\n${last}`, true), comesTo: 'b' },
      sample(3, `broken\n${last}`, false),
      { ...sample(4, `h\n${last}`, true), comesTo: 'b' },
      sample(5, `broken too\n${last}`, false),
      sample(6, `broken as well\n${last}`, false),
    ];
    expect(majorityOf(runs)).toBe(runs[1]);
  });

  it('has as many samples as a run cost, and at least one', () => {
    const samples = [sample(1, 'a', true), sample(2, 'b', true, 15), sample(3, 'c', true)];
    expect([9, 10, 24, 25, 34, 35, 99].map((spend) => samplesFor(spend, samples, cost).length)).toEqual([
      1, 1, 1, 2, 2, 3, 3,
    ]);
  });

  it('compares a run with the samples of its own repeat', () => {
    const runs = [
      finishedRun({ arm: 'single a', costNanoUsd: 10 }),
      finishedRun({ arm: 'debate', costNanoUsd: 30, isRight: true }),
      finishedRun({ arm: 'council', costNanoUsd: 10, isRight: true }),
      sample(1, 'Answer: 1', true),
      sample(2, 'Answer: 2', false),
      sample(3, 'Answer: 2', false),
    ];
    const { rows } = analyse(
      { tasks: ['t1'], panel: ['a'], strategies: ['debate', 'council'], seed: 1, runs, judgements: [] },
      10,
    );
    const found = Object.fromEntries(rows.map((row) => [row.arm, row.overEqualSpend?.mean]));
    expect(found).toEqual({ 'single a': undefined, [EQUAL_SPEND]: undefined, debate: 1, council: 0 });
  });
});

it('takes all strategies together: what one alone would have shown, one of eight does not', () => {
  const tasks = Array.from({ length: 30 }, (_, index) => `t${index}`);
  const verdicts = (strategies: readonly string[]) => {
    const runs = tasks.flatMap((task, index) => [
      finishedRun({ task, arm: 'single a', isRight: index >= 7 }),
      // Right on seven more tasks, and wrong on one.
      ...strategies.map((arm) => finishedRun({ task, arm, isRight: index !== 20 })),
    ]);
    const { rows } = analyse({ tasks, panel: ['a'], strategies, seed: 1, runs, judgements: [] });
    return [...new Set(rows.flatMap(({ overBestSingle }) => overBestSingle?.verdict ?? []))];
  };
  expect(verdicts(['one'])).toEqual(['wins']);
  expect(verdicts(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'])).toEqual(['no difference shown']);
});

describe('the best single model', () => {
  // On each half another model is right: whoever chose on the tasks that are tested would think it perfect.
  const tasks = Array.from({ length: 20 }, (_, index) => `t${index}`);
  const study = (rightOn: (task: string, model: string) => boolean) => ({
    ...{ tasks, panel: ['a', 'b'], strategies: ['debate'], seed: 5, judgements: [] },
    runs: tasks.flatMap((task) => [
      ...['a', 'b'].map((model) => finishedRun({ task, arm: `single ${model}`, isRight: rightOn(task, model) })),
      finishedRun({ task, arm: 'debate', isRight: true }),
    ]),
  });

  it('is chosen on one half of the tasks and tested on the other', () => {
    const { crossFit } = analyse(
      study(() => true),
      10,
    );
    const [first] = crossFit.halves;
    const split = analyse(
      study((task, model) => first.has(task) === (model === 'a')),
      10,
    );
    expect(first.size).toBe(10);
    // a is right on the first half alone, so it is chosen for the second, where it is always wrong.
    expect(split.crossFit.bestFor).toEqual(['b', 'a']);
    expect(split.rows.find(({ arm }) => arm === 'debate')?.overBestSingle?.mean).toBe(1);
  });

  it('is chosen by first answers: what comes later is compared with a model that is known', () => {
    const whole = study((_, model) => model === 'a');
    const later = whole.runs.flatMap((run) => [2, 3].map((repeat) => ({ ...run, repeat, isRight: !run.isRight })));
    expect(analyse({ ...whole, runs: [...whole.runs, ...later] }, 10).crossFit.bestFor).toEqual(['a', 'a']);
  });

  it('is compared on the tasks that both have run', () => {
    const whole = study((task) => task !== 't3');
    const runs = whole.runs.filter(({ task, arm }) => !(arm === 'debate' && task !== 't3' && task !== 't4'));
    const row = analyse({ ...whole, runs }, 10).rows.find(({ arm }) => arm === 'debate');
    expect(row?.overBestSingle).toMatchObject({ tasks: 2, mean: 0.5 });
  });
});
