import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptStudy } from '../study/command/advised.ts';
import { readQuestions } from '../study/questions/questions.ts';
import { labelsOf, type Rated } from '../study/questions/ratings.ts';
import { findings } from '../study/report/findings.ts';
import { Gate, Wallet } from '../study/run/gate.ts';
import { openJournal } from '../study/run/journal.ts';
import { playStudy } from '../study/run/play-study.ts';
import { temporaryDirectory } from './support.ts';

/** Ratings of users beside what scripted judges and checks find of new answers. */

const ARM = 'expert_panel';
const OUTCOME = { costNanoUsd: 1, isPriced: true, calls: 1, firstTextMs: 1, durationMs: 1 };
const JUDGES = {
  ...{ version: '1', seed: 1, tasks: 0, kinds: '', file: 'digest', judges: 'j', panel: 'a,b', arbiter: 'a' },
  ...{ strategies: ARM, repeats: 1, rounds: 1 },
};

/** A judge that prefers the panel where it is told to, either way round, and else finds both alike. */
async function evaluate({ prompt, responses, judge_models }: never) {
  const better = prompt as string;
  const scoreOf = (arm: string): number => {
    if (better.startsWith('Alike')) return 5;
    return (arm === ARM) === better.startsWith('Panel') ? 8 : 3;
  };
  return {
    evaluations: (responses as { modelName: string }[]).map(({ modelName }) => ({
      individualScores: (judge_models as { name: string }[]).map(({ name }) => ({
        ...{ judgeName: name, overallScore: scoreOf(modelName) },
      })),
    })),
    usage: { total_cost: 0 },
  };
}

/** Plays questions from their file to the end, and reads what is kept of it. */
async function played(questions: readonly object[]) {
  using directory = temporaryDirectory();
  const file = join(directory.path, 'questions.jsonl');
  writeFileSync(file, questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  const { tasks } = readQuestions(file);
  const price = { highNanoUsd: 1 };
  const run = async (_: object, prompt: string) => ({
    ...OUTCOME,
    answer: prompt.includes('Right') ? 'Answer: 7' : 'No.',
  });
  await playStudy({
    ...{ tasks, panel: ['a', 'b'], arbiter: 'a', strategies: [ARM], repeats: 1, rounds: 1, seed: 1, atOnce: 1 },
    ...{ judges: ['j'], told: () => undefined, journal: openJournal(directory.path, JUDGES, tasks) },
    ...{ gate: new Gate(new Wallet(1e9, 0), 1), client: { run, evaluate }, prices: { of: () => price } },
    ...{ judgePrices: () => price, runs: new Map(), judgements: new Map(), dearest: new Map(), external: new Map() },
  } as never);
  return keptStudy(directory.path).analysis;
}

const good: Rated = { arm: ARM, answer: 'good' };
const bad: Rated = { arm: ARM, answer: 'bad' };

it('tells how often checks and judges find what users have said, and nothing else goes by it', async () => {
  const questions = [
    { prompt: 'Panel 1', rated: [good] },
    { prompt: 'Panel 2', rated: [{ arm: ARM, better: 'b' }] },
    { prompt: 'Single 1', rated: [bad, bad, good] },
    { prompt: 'Alike', rated: [good] },
    { prompt: 'Panel 3', rated: [good, bad] },
    { prompt: 'Single 2', rated: [{ arm: 'hierarchical', answer: 'good' }] },
    { prompt: 'Right', expected: '7', rated: [good, { arm: 'single b', answer: 'bad' }] },
    { prompt: 'Wrong', expected: '7', rated: [bad] },
  ];
  const analysis = await played(questions);
  // Agreed: the first of the panel, the first of the single model, the right one and the wrong one.
  expect(analysis.agreement).toMatchObject({ share: { count: 4, tasks: 6 }, sameOfAll: 4 });
  expect(findings(analysis)).toContainEqual(
    expect.stringMatching(
      /^Agreed with ratings: 4 of 6, 66\.7 % \[22\.3, 95\.7\]; the same said of all would agree with 4\. /,
    ),
  );
  const unrated = await played(questions.map(({ rated: _, ...question }) => question));
  expect(unrated.agreement).toBeUndefined();
  expect(findings(unrated).join()).not.toContain('ratings');
  expect([unrated.rows, unrated.openRows]).toEqual([analysis.rows, analysis.openRows]);
});

it.each<[string, readonly Rated[], readonly object[]]>([
  ['most of them', [good, good, bad], [{ arm: ARM, isGood: true }]],
  ['one that is as good as bad', [good, bad], []],
  ['a draft that was better', [{ arm: ARM, better: 'b' }], [{ arm: ARM, isGood: false }]],
  ['a good answer and a better draft', [{ ...good, better: 'b' }], []],
  ['words alone', [{ arm: ARM, words: 'Long.' }], []],
  [
    'two arms',
    [good, { arm: 'auto', answer: 'bad' }],
    [
      { arm: ARM, isGood: true },
      { arm: 'auto', isGood: false },
    ],
  ],
])('a label of %s', (_, rated, labels) => {
  expect(labelsOf(rated)).toEqual(labels);
});
