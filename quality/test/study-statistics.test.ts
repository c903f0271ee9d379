import { advice } from '../study/analysis/advice.ts';
import { analyse, EQUAL_SPEND } from '../study/analysis/analyse.ts';
import { samplesFor } from '../study/analysis/equal-spend.ts';
import { majorityOf } from '../study/analysis/turns.ts';
import { holm } from '../study/analysis/verdicts.ts';
import { meanInterval } from '../study/statistics/mean-interval.ts';
import { finishedRun } from './support.ts';

const RESAMPLING = { seed: 1, resamples: 20_000 };
const tasksOf = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

describe('an interval', () => {
  it.each([
    // The variance of 0 … 39 is 133.25 over 40, and of 39 degrees of freedom Student says 2.0227 standard errors.
    [Array.from({ length: 40 }, (_, index) => index / 40), Math.sqrt((133.25 * 40) / 39) / 40 / Math.sqrt(40), 2.02],
    // The variance of 0, 1, … 7 is 42 over 7; of 8 tasks Student says 2.3646 standard errors.
    [[0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], Math.sqrt(42 / 7) / 10 / Math.sqrt(8), 2.36],
  ])(
    'is as wide as Student says of values that are nearly normal, and not too narrow for few: %j',
    (values, error, width) => {
      const { low = 0, high = 0 } = meanInterval(values, -1, RESAMPLING) ?? {};
      expect(Math.abs((high - low) / 2 / error - width)).toBeLessThan(0.15);
    },
  );

  it('is not a point where all tasks came out alike', () => {
    // 10 of 10: Clopper and Pearson say 69.15 %.
    const all = meanInterval(Array(10).fill(1), 0, RESAMPLING);
    expect(all).toMatchObject({ mean: 1, high: 1, low: expect.closeTo(0.6915, 4) });
    const same = meanInterval(Array(10).fill(0), -1, RESAMPLING);
    expect([same?.p, same?.low, same?.high].map((value) => value?.toFixed(4))).toEqual(['1.0000', '-0.3085', '0.3085']);
    // Ten tasks, all of them in favour: two in 1,024 by chance.
    expect(meanInterval(Array(10).fill(1), -1, RESAMPLING)?.p).toBeCloseTo(2 / 1024, 10);
  });

  it('is the same for the same seed, stays within what is possible, and there is none of nothing', () => {
    const values = [1, 1, 1, 1, 1, 1, 1, 0];
    expect(meanInterval(values, 0, RESAMPLING)?.high).toBe(1);
    expect(meanInterval(values, 0, RESAMPLING)).toEqual(meanInterval(values, 0, RESAMPLING));
    expect(meanInterval([], 0, RESAMPLING)).toBeUndefined();
  });

  it.each([10, 12, 14, 16, 18, 20])('has a p below 5 %% just where it leaves 0 out: %d of 30', (positive) => {
    const values = [...Array(positive).fill(1), ...Array(30 - positive).fill(-1)];
    const { low, high, p } = meanInterval(values, -1, RESAMPLING) ?? { low: 0, high: 0, p: 0 };
    expect(p < 0.05).toBe(low > 0 || high < 0);
  });
});

it('adjusts p values after Holm', () => {
  // Sorted 0.005, 0.01, 0.03, 0.04: times 4, 3, 2, 1, and never less than the one before.
  expect(holm([0.01, 0.04, 0.03, 0.005]).map((p) => p.toFixed(3))).toEqual(['0.030', '0.060', '0.060', '0.020']);
  expect(holm([0.6, 0.7])).toEqual([1, 1]);
});

describe('equal spend', () => {
  const sample = (index: number, answer: string, isRight: boolean, costNanoUsd = 10) =>
    finishedRun({ arm: 'samples a', sample: index, answer, isRight, costNanoUsd });

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
    const runs = [
      { ...sample(1, 'f```', false), comesTo: 'a' },
      { ...sample(2, 'g\n```', true), comesTo: 'b' },
      sample(3, 'broken\n```', false),
      { ...sample(4, 'h\n```', true), comesTo: 'b' },
      sample(5, 'broken too\n```', false),
    ];
    expect(majorityOf(runs)).toBe(runs[1]);
  });

  it('has as many samples as a run cost, and at least one', () => {
    const samples = [sample(1, 'a', true), sample(2, 'b', true, 15), sample(3, 'c', true)];
    const counts = [9, 10, 24, 25, 34, 35, 99].map(
      (spend) => samplesFor(spend, samples, ({ costNanoUsd }) => costNanoUsd).length,
    );
    expect(counts).toEqual([1, 1, 1, 2, 2, 3, 3]);
  });

  it('compares a run with the samples of its own repeat', () => {
    const runs = [
      finishedRun({ arm: 'single a', costNanoUsd: 10 }),
      finishedRun({ arm: 'debate', costNanoUsd: 30 }),
      finishedRun({ arm: 'council', costNanoUsd: 10 }),
      sample(1, 'Answer: 1', true),
      sample(2, 'Answer: 2', false),
      sample(3, 'Answer: 2', false),
    ];
    const study = { tasks: ['t1'], panel: ['a'], strategies: ['debate', 'council'], seed: 1, runs, judgements: [] };
    const found = Object.fromEntries(analyse(study, 10).rows.map((row) => [row.arm, row.overEqualSpend?.mean]));
    expect(found).toEqual({ 'single a': undefined, [EQUAL_SPEND]: undefined, debate: 1, council: 0 });
  });
});

it.each([
  [['one'], 'wins'],
  [['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'], 'no difference shown'],
])('takes all strategies together: of %j each %s', (strategies, verdict) => {
  const tasks = tasksOf(30);
  const runs = tasks.flatMap((task, index) => [
    finishedRun({ task, arm: 'single a', isRight: index >= 7 }),
    // Right on seven more tasks, and wrong on one.
    ...strategies.map((arm) => finishedRun({ task, arm, isRight: index !== 20 })),
  ]);
  const { rows } = analyse({ tasks, panel: ['a'], strategies, seed: 1, runs, judgements: [] });
  const found = rows.flatMap(({ overBestSingle }) => overBestSingle?.verdict ?? []);
  expect(new Set(found)).toEqual(new Set([verdict]));
});

describe('the best single model', () => {
  const tasks = tasksOf(20);
  const study = (rightOn: (task: string, model: string) => boolean) => ({
    ...{ tasks, panel: ['a', 'b'], strategies: ['debate'], seed: 5, judgements: [] },
    runs: tasks.flatMap((task) => [
      ...['a', 'b'].map((model) => finishedRun({ task, arm: `single ${model}`, isRight: rightOn(task, model) })),
      finishedRun({ task, arm: 'debate', isRight: true }),
    ]),
  });
  const debate = (of: ReturnType<typeof study>) => {
    const analysis = analyse(of, 10);
    return { ...analysis, row: analysis.rows.find(({ arm }) => arm === 'debate') };
  };

  it('is chosen on one half of the tasks and tested on the other', () => {
    const [first] = debate(study(() => true)).crossFit.halves;
    expect(first.size).toBe(10);
    // a is right on the first half alone, so it is chosen for the second, where it is always wrong.
    const { crossFit, row } = debate(study((task, model) => first.has(task) === (model === 'a')));
    expect([crossFit.bestFor, row?.overBestSingle?.mean]).toEqual([['b', 'a'], 1]);
  });

  it('is chosen by first answers: what comes later is compared with a model that is known', () => {
    const whole = study((_, model) => model === 'a');
    const later = whole.runs.flatMap((run) => [2, 3].map((repeat) => ({ ...run, repeat, isRight: !run.isRight })));
    expect(debate({ ...whole, runs: [...whole.runs, ...later] }).crossFit.bestFor).toEqual(['a', 'a']);
  });

  it('is compared on the tasks that both have run', () => {
    const whole = study((task) => task !== 't3');
    const runs = whole.runs.filter(({ task, arm }) => !(arm === 'debate' && task !== 't3' && task !== 't4'));
    expect(debate({ ...whole, runs }).row?.overBestSingle).toMatchObject({ tasks: 2, mean: 0.5 });
  });
});

type Arms = Readonly<Record<string, readonly [right: number, cost: number]>>;

it.each<[Arms, object | undefined]>([
  [
    { 'single a': [20, 1], 'single b': [54, 2], fair: [55, 5], dear: [56, 20] },
    // Where b is wrong a is wrong, too: no ensemble is a choice.
    { best: 'single b', cheapest: 'single b', worse: ['single a'] },
  ],
  [
    { 'single a': [20, 1], 'single b': [30, 2], fair: [35, 5], dear: [56, 20] },
    // Beyond what the models know together, by more than chance.
    { best: 'dear', cheapest: 'dear', worse: ['single a', 'single b'] },
  ],
  [{}, undefined],
])('advises the cheapest arm that is not significantly worse than the best: %j', (arms, expected) => {
  const tasks = tasksOf(60);
  const runs = tasks.flatMap((task, index) =>
    Object.entries(arms).map(([arm, [right, cost]]) =>
      finishedRun({ task, arm, isRight: index < right, costNanoUsd: cost * 10_000 }),
    ),
  );
  const study = { tasks, panel: ['a', 'b'], strategies: ['dear', 'fair'], seed: 1, runs, judgements: [] };
  const found = advice(study, analyse(study));
  expect(found && { best: found.best.arm, cheapest: found.cheapest.arm, worse: found.worse }).toEqual(expected);
});
