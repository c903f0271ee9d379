import { advice } from '../study/analysis/advice.ts';
import { analyse } from '../study/analysis/analyse.ts';
import { crossFit, halvesOf, worthOf } from '../study/analysis/best-single.ts';
import { type Ceiling, ceilingOf } from '../study/analysis/ceiling.ts';
import { smallestPanel } from '../study/analysis/smallest-panel.ts';
import { runsByArm } from '../study/analysis/turns.ts';
import { advisedIn } from '../study/command/advised.ts';
import { singleArm } from '../study/finished-run.ts';
import { ceilingWords } from '../study/report/ceiling-words.ts';
import { type ExactShare, exactShare, signTest } from '../study/statistics/exact-share.ts';
import { uniform } from '../study/statistics/mean-interval.ts';
import { finishedRun } from './support.ts';

const tasksOf = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

it.each([
  // Newcombe 1998, table I, the method of Clopper and Pearson.
  [81, 263, 0.2527, 0.3676],
  [15, 148, 0.0578, 0.1617],
  [0, 20, 0, 0.1684],
  [1, 29, 0.0009, 0.1776],
  // Nothing is known beyond the n-th root of 2.5 %.
  [10_000, 10_000, 0.025 ** (1 / 10_000), 1],
])('the exact interval of %d in %d is that of Clopper and Pearson', (count, tasks, low, high) => {
  const found = exactShare(count, tasks);
  expect([found.low.toFixed(4), found.high.toFixed(4)]).toEqual([low.toFixed(4), high.toFixed(4)]);
});

it('takes six tasks of six for more than chance, and five for chance', () => {
  const found = [signTest(5, 0), signTest(6, 0), signTest(0, 0), signTest(7, 7)];
  expect(found.map((p) => p.toFixed(5))).toEqual(['0.06250', '0.03125', '1.00000', '1.00000']);
});

/** Tasks on each of which the arms are right that its letters name, in each of its repeats; an arm that is a capital is a strategy. */
function studyOf(tasks: readonly string[], more: { readonly panel?: string[]; readonly seed?: number } = {}) {
  const strategies = ['D', 'E'];
  const runs = tasks.flatMap((letters, index) =>
    letters.split(' ').flatMap((right, place) =>
      ['a', 'b', 'c', ...strategies].map((arm) =>
        finishedRun({
          ...{ task: `t${index}`, repeat: place + 1, isRight: right.includes(arm) },
          arm: strategies.includes(arm) ? arm : singleArm(arm),
          costNanoUsd: { a: 2, b: 2, c: 1, D: 9, E: 12 }[arm] ?? 0,
          answer: right.includes(arm) ? 'Answer: yes' : 'Answer: no',
        }),
      ),
    ),
  );
  return { tasks: tasksOf(tasks.length), panel: ['a', 'b', 'c'], strategies, seed: 1, runs, judgements: [], ...more };
}
const times = (count: number, letters: string): string[] => Array<string>(count).fill(letters);
const ceilingIn = (...given: Parameters<typeof studyOf>): Ceiling | undefined => analyse(studyOf(...given), 10).ceiling;

describe('the ceiling', () => {
  it('is what the members get right together, and its gain what the best of them gets wrong', () => {
    const found = ceilingIn([
      ...times(30, 'ab'),
      ...times(6, 'b'),
      ...times(2, 'c'),
      ...times(40, 'a'),
      ...times(2, 'DE'),
    ]);
    expect(found).toMatchObject({
      ...{ members: ['a', 'b', 'c'], bestSingle: 70 / 80, isBeyondChance: true, passedBy: [] },
      allWrong: { count: 2, tasks: 80 },
      gain: { count: 8, tasks: 80 },
    });
  });

  it('goes by what is wrong in one repeat together: other repeats neither lift nor lower it', () => {
    const first = [...times(10, 'a'), ...times(10, '')];
    const found = ceilingIn(first.map((letters) => `${letters} ${letters === 'a' ? '' : 'abc'} abc`));
    expect(found?.allWrong).toEqual(exactShare(10, 20));
  });

  it('takes a model that is named twice for two answers, and is not told where there are too few', () => {
    const tasks = [...times(5, 'a '), ...times(5, ' a'), ...times(10, ' ')];
    expect(ceilingIn(tasks, { panel: ['a', 'a'] })?.allWrong).toEqual(exactShare(10, 20));
    expect(ceilingIn(tasks, { panel: ['a', 'a', 'a'] })).toBeUndefined();
  });

  it('leaves out tasks of which nobody knows what is right, and those that a member has not answered', () => {
    const study = studyOf(times(20, 'a'));
    const runs = study.runs
      .filter(({ task, arm }) => !(task === 't1' && arm === 'single b'))
      .map((run) => (run.task === 't2' ? { ...run, isRight: null } : run));
    expect(analyse({ ...study, runs }, 10).ceiling?.allWrong).toEqual(exactShare(0, 18));
  });

  it('is told in a line, with both intervals and the price', () => {
    const analysis = analyse(studyOf([...times(40, 'ab'), ...times(12, 'bE'), ...times(48, 'aD')]), 10);
    const all = exactShare(100, 100);
    const gain = exactShare(12, 100);
    expect([all.low.toFixed(3), gain.low.toFixed(3), gain.high.toFixed(3)]).toEqual(['0.964', '0.064', '0.200']);
    expect(ceilingWords(analysis)).toEqual([
      'Best single 88.0 %, all 3 together cannot pass 100.0 % [96.4, 100.0]: at most +12.0 points [6.4, 20.0] for 4.5 to 6.0 × the ' +
        'price. By first answers to 100 tasks, for every router, vote or choice between drafts; a synthesis that writes something ' +
        'new may pass it.',
    ]);
  });
});

describe('the advice', () => {
  const adviceOn = (tasks: readonly string[]) => {
    const study = studyOf(tasks);
    const found = advice(study, analyse(study, 10));
    return found && { arm: found.cheapest.arm, leftOut: found.leftOut };
  };

  it.each([
    // D is right on 15 more tasks than a: on five of them another member was, on ten nobody.
    [5, 10, { arm: 'D', leftOut: ['E'] }],
    // Of the ten that nobody knew it has lost five that somebody did.
    [5, 5, { arm: 'single a', leftOut: ['D', 'E'] }],
    [6, 9, { arm: 'D', leftOut: [] }],
  ])(
    'is a single model where a choice could gain %d tasks, unless an ensemble is right on %d beyond the ceiling',
    (known, beyond, expected) => {
      expect(adviceOn([...times(60, 'aDE'), ...times(known, 'bD'), ...times(beyond, 'D')])).toEqual(expected);
    },
  );

  it('counts the calls of all arms where one has no known price: dollars and calls are never compared', () => {
    // D is right on two more tasks than a, which is within chance.
    const study = studyOf([...times(58, 'aD'), ...times(4, 'a'), ...times(6, 'bD')]);
    const runs = study.runs.map((run) => ({
      ...run,
      ...(run.arm === 'single a' ? { costNanoUsd: 20_000_000_000 } : { isPriced: false }),
      calls: run.arm === 'D' ? 5 : 1,
    }));
    const priced = { ...study, runs };
    expect(advice(priced, analyse(priced, 10))?.cheapest.arm).toBe('single a');
  });

  it('does not leave an ensemble out that has passed the ceiling by no more than it fell short of it', () => {
    const short = [...times(55, 'aD'), ...times(5, 'a'), ...times(8, 'D'), ...times(5, 'bD')];
    expect(ceilingIn(short)?.passedBy).toEqual([]);
  });

  it('recommends an ensemble that has passed the ceiling in words that hold of it, though its members know the same', () => {
    const study = studyOf([...times(60, 'abcDE'), ...times(10, 'D')]);
    const panel = { panel: study.panel, arbiter: 'a', rounds: 1 };
    const found = advisedIn({ study, panel, analysis: analyse(study, 10) });
    expect([found?.arm, found?.settings]).toEqual([
      'D',
      { model: 'a', ai_ensemble: { strategy: 'D', models: study.panel } },
    ]);
    expect(found?.reasons).toEqual([
      expect.stringMatching(/^Use D \(100\.0 % correct/),
      expect.stringMatching(/^Left out: E\. .* on 0 of 70 tasks, too few/),
      expect.stringMatching(/no arm was right more often/),
      expect.stringMatching(/^Worse than the best beyond chance: single a, single b, single c\.$/),
      'No other model is right where c is wrong: choosing between them gains nothing.',
    ]);
  });
});

describe('the smallest panel', () => {
  const panelIn = (tasks: readonly string[], size: number) => {
    const ceiling = ceilingIn(tasks);
    const found = ceiling && smallestPanel(ceiling, size, (model) => (model === 'c' ? 1 : 2));
    return [found?.models, found?.allWrong.count];
  };

  it.each<[string, string[], number, string[], number]>([
    [
      'the lowest share that all get wrong',
      [...times(5, 'a'), ...times(3, 'b'), ...times(2, 'c'), ''],
      3,
      ['a', 'b', 'c'],
      1,
    ],
    [
      'no more members than the panel had',
      [...times(5, 'a'), ...times(3, 'b'), ...times(2, 'c'), ''],
      2,
      ['a', 'b'],
      3,
    ],
    ['the smaller one of equals', [...times(5, 'ab'), ...times(3, 'bc'), ...times(2, 'ac')], 3, ['a', 'c'], 0],
    ['one model where no other knows more', [...times(5, 'ab'), 'a'], 3, ['a'], 0],
  ])('has %s', (_, tasks, size, models, count) => {
    expect(panelIn(tasks, size)).toEqual([models, count]);
  });
});

/** The chance of each member to be right on easy, middling and hard tasks. */
const MODELS: Readonly<Record<string, readonly [number, number, number]>> = {
  ada: [0.95, 0.75, 0.4],
  blaise: [0.9, 0.75, 0.35],
  curie: [0.8, 0.45, 0.1],
};
const STUDIES = 1_000;
const TASKS = 60;
/** The chance that the members of a repeat share their luck. */
const SHARED = 0.5;

/** The chance that all these models are wrong together, over all tasks. */
function wrongTogether(models: readonly string[]): number {
  const ofLevel = [0, 1, 2].map((level) => {
    const shares = models.map((model) => MODELS[model]?.[level] ?? 0);
    // Those who share their luck are wrong where it is above their share; the others by themselves.
    const sets = Array.from({ length: 2 ** shares.length }, (_, set) => {
      const sharing = shares.filter((_, place) => set & (1 << place));
      const alone = shares.filter((_, place) => !(set & (1 << place)));
      const wrong = (1 - Math.max(0, ...sharing)) * alone.reduce((product, share) => product * (1 - share), 1);
      return SHARED ** sharing.length * (1 - SHARED) ** alone.length * wrong;
    });
    return sets.reduce((sum, chance) => sum + chance, 0);
  });
  return ofLevel.reduce((sum, chance) => sum + chance, 0) / ofLevel.length;
}

function simulated(seed: number) {
  const next = uniform(seed);
  const tasks = tasksOf(TASKS);
  const runs = tasks.flatMap((task) => {
    const level = Math.floor(next() * 3);
    const luck = next();
    return Object.entries(MODELS).map(([model, shares]) => {
      const isRight = (next() < SHARED ? luck : next()) < (shares[level] ?? 0);
      return finishedRun({ task, arm: singleArm(model), isRight });
    });
  });
  const members = Object.keys(MODELS);
  const byArm = runsByArm(runs);
  const fit = crossFit({ panel: members, halves: halvesOf(tasks, seed) }, worthOf(byArm, []));
  return { fit, ceiling: ceilingOf({ tasks, members, strategies: [], byArm, fit }) };
}

it('holds the ceiling in 95 and more of 100 simulated studies, and the gain over the best single model in 94', () => {
  const all = wrongTogether(Object.keys(MODELS));
  const studies = Array.from({ length: STUDIES }, (_, seed) => simulated(seed));
  const shareThatHolds = (of: (ceiling: Ceiling) => ExactShare, truth: (bestFor: readonly string[]) => number) =>
    studies.filter(({ ceiling, fit }) => {
      const { low, high } = of(ceiling as Ceiling);
      return low <= truth(fit.bestFor) && truth(fit.bestFor) <= high;
    }).length / STUDIES;
  const ofAll = shareThatHolds(
    ({ allWrong }) => allWrong,
    () => all,
  );
  const ofGain = shareThatHolds(
    ({ gain }) => gain,
    ([one = '', other = '']) => (wrongTogether([one]) + wrongTogether([other])) / 2 - all,
  );
  expect(ofAll).toBeGreaterThanOrEqual(0.95);
  // Each half chooses the model for the other, so that the two are not quite independent.
  expect(ofGain).toBeGreaterThanOrEqual(0.94);
  // Nor are they so wide that they say nothing.
  expect(Math.max(ofAll, ofGain)).toBeLessThanOrEqual(0.985);
});
