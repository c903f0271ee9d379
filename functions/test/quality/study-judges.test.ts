import { analyse } from '../../quality/study/analysis/analyse';
import type { Judgement } from '../../quality/study/judging/judgement';
import { preferenceOf } from '../../quality/study/judging/preference';
import { questionTask } from '../../quality/study/questions/question-task';
import { markdownReport } from '../../quality/study/report/markdown';
import { Gate } from '../../quality/study/run/gate';
import { openJournal, readKept } from '../../quality/study/run/journal';
import { askJudgePrices } from '../../quality/study/run/judge-prices';
import { playStudy } from '../../quality/study/run/play-study';
import { askPrices } from '../../quality/study/run/prices';
import { Wallet } from '../../quality/study/run/wallet';
import { createClient } from '../../quality/study/service/client';
import { atNoDifference } from '../../quality/study/statistics/at-no-difference';
import { uniform } from '../../quality/study/statistics/uniform';
import { startApp } from '../support/app';
import { allAt, judgeScript } from '../support/judges';
import { temporaryDirectory } from '../support/temporary-directory';

const RESAMPLING = { seed: 1, resamples: 2_000 };

describe('what a judgement of two answers says', () => {
  const judgement = (...readings: number[][]): Judgement => ({
    ...{ task: 't', repeat: 1, judge: 'j', arms: ['debate', 'single a'], lengths: [30, 10], costNanoUsd: 0 },
    readings,
  });

  it.each([
    [
      [
        [8, 5],
        [7, 6],
      ],
      1,
      false,
    ],
    [
      [
        [5, 8],
        [6, 7],
      ],
      -1,
      false,
    ],
    [
      [
        [8, 5],
        [5, 8],
      ],
      0,
      true,
    ],
    [
      [
        [8, 5],
        [6, 6],
      ],
      0.5,
      true,
    ],
    [
      [
        [6, 6],
        [6, 6],
      ],
      0,
      false,
    ],
    [[[8, 5]], 1, undefined],
  ])('from its two readings: %j', (readings, margin, isFlipped) => {
    expect(preferenceOf(judgement(...readings))).toEqual({ margin, isFlipped, longerBy: 20 });
  });

  it('is nothing without usable scores', () => {
    expect(preferenceOf(judgement())).toBeUndefined();
  });
});

describe('the margin at equal length', () => {
  const next = uniform(3);
  const differences = Array.from({ length: 200 }, () => 2_000 * next() - 500);
  const spread = Math.sqrt(differences.reduce((sum, one) => sum + one ** 2, 0) / differences.length);
  const swayedBy = (height: number, slope: number) =>
    differences.map((difference) => [{ margin: height + slope * Math.tanh(difference / spread), difference }]);

  it('is where the line through all comparisons stands at no difference', () => {
    expect(atNoDifference(swayedBy(0.25, 0.5), RESAMPLING)?.mean).toBeCloseTo(0.25, 10);
  });

  it('is none where length alone wins', () => {
    const noisy = swayedBy(0, 0.8).map(([one]) => [
      { difference: one?.difference ?? 0, margin: next() < (1 + (one?.margin ?? 0)) / 2 ? 1 : -1 },
    ]);
    const mean = noisy.flat().reduce((sum, { margin }) => sum + margin, 0) / noisy.length;
    const { low = 1, high = -1, p = 0 } = atNoDifference(noisy, RESAMPLING) ?? {};
    // Longer answers win, and the arm's are longer: it is preferred by far, and not for being better.
    expect(mean).toBeGreaterThan(0.15);
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0);
    expect(p).toBeGreaterThan(0.05);
  });

  it('is the plain mean where all lengths are the same', () => {
    const same = [1, 1, -1, 1].map((margin) => [{ margin, difference: 0 }]);
    expect(atNoDifference(same, RESAMPLING)?.mean).toBe(0.5);
    expect(atNoDifference([], RESAMPLING)).toBeUndefined();
  });
});

/** What a text is worth stands in it. */
const WORTH = {
  short: 'Because. Worth 5.',
  good: 'Because it must be so. Worth 7.',
  best: 'Because of this and that. Worth 9.',
};
const JUDGES = judgeScript({
  fair: ({ response }) => allAt(Number(/Worth (\d)/.exec(response)?.[1])),
  // Whatever stands first is best.
  placed: (_, place) => allAt(place === 0 ? 9 : 3),
});

it('compares answers to open questions by judges in both orders, with the best single model that they find', async () => {
  await using app = await startApp({
    env: { RATE_LIMIT_RPM: '1000' },
    script: (call) => {
      const { providerModel, purpose } = call;
      if (['fair', 'placed'].includes(providerModel)) return JUDGES(call);
      if (purpose === 'answer' && call.prompt.turns.at(-1)?.text.includes('Worth')) return { text: WORTH.best };
      return { text: providerModel === 'weak' ? WORTH.short : WORTH.good };
    },
  });
  const directory = await temporaryDirectory();
  const tasks = Array.from({ length: 6 }, (_, index) =>
    questionTask(`question-${index}`, { prompt: `Why ${index}?`, rules: [], rubric: 'A reason.' }),
  );
  const study = { panel: ['weak', 'strong'], arbiter: 'weak', rounds: 1, strategies: ['competitive_refinement'] };
  const judges = ['fair', 'placed'];
  const client = createClient({ baseUrl: `${app.baseUrl}/v1`, key: app.key });
  const taskIds = tasks.map(({ id }) => id);
  const setup = { version: '1/1', seed: 2, tasks: 0, kinds: '', file: 'f', judges: judges.join(), repeats: 2 };
  const journal = openJournal(
    directory.path,
    { ...setup, ...study, panel: 'weak,strong', strategies: 'competitive_refinement' },
    taskIds,
  );
  const gate = new Gate(new Wallet(1e12, 0), 4);
  await playStudy({
    ...{ ...study, judges, tasks, client, gate, journal, repeats: 2, seed: 2, atOnce: 4, told: () => undefined },
    ...{ runs: new Map(), judgements: new Map(), dearest: new Map() },
    prices: await askPrices(client, { ...study, tasks }),
    judgePrices: await askJudgePrices(client, judges),
  });
  const kept = readKept(directory.path);
  await directory.remove();

  const runs = [...kept.runs.values()];
  const judgements = [...kept.judgements.values()];
  // Three answers to each question, twice, none of them sampled: single models first, and the first repeat before the second.
  expect(runs.map(({ repeat, arm }) => `${repeat} ${arm.startsWith('single')}`)).toEqual(
    [1, 2].flatMap((repeat) => [...Array(12).fill(`${repeat} true`), ...Array(6).fill(`${repeat} false`)]),
  );
  // Both judges read the single ones once, and each pair.
  expect(judgements).toHaveLength(6 * 2 + 2 * 6 * 2);
  expect(judgements.every(({ readings }) => readings.length === 2)).toBe(true);

  const analysis = analyse({
    ...{ tasks: taskIds, panel: ['weak', 'strong'], strategies: study.strategies, seed: 2, runs, judgements },
  });
  expect(analysis.crossFit.bestFor).toEqual(['strong', 'strong']);
  const [row] = analysis.openRows;
  // The fair judge is for the arm, the other one for whatever it reads first.
  expect(row).toMatchObject({ arm: 'competitive_refinement', comparisons: 24, flips: 0.5, callsPerAnswer: 3 });
  expect(row?.over.mean).toBeCloseTo(0.5, 10);
  expect(row?.over.verdict).toBe('wins');
  expect(row?.lengthRatio).toBeCloseTo(WORTH.best.length / WORTH.good.length, 10);
  const markdown = markdownReport({ analysis, about: [], warnings: [] });
  expect(markdown).toMatch(/\| competitive_refinement \| 75\.0 \[.+\] wins \| .+ \| 50\.0 \| 1\.1\d \|/);
  expect(markdown).toContain('Judges find better than the best single model: competitive_refinement.');
});
