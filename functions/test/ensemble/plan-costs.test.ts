import { AnswerTimes } from '../../src/ensemble/deadline/answer-times';
import { planEnsemble } from '../../src/ensemble/plan-ensemble';
import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { fakeClock } from '../support/fake-clock';
import { type Play, playRun, requestId, requestOf } from '../support/played-run';
import { fractions, realistic, type Spread } from '../support/reply-lengths';
import type { Script } from '../support/scripted-models';

/** What runs of many kinds really cost, against what their plans say. */

const PANELS = [
  { models: ['gpt-4o', 'gpt-4o-mini'], arbiter: 'gpt-4o' },
  { models: ['gpt-4o', 'claude-haiku-4-5', 'gemini-2.0-flash'], arbiter: 'claude-sonnet-4-5' },
  { models: ['gpt-4o-mini', 'gpt-4o-mini', 'gpt-4o-mini', 'gpt-4.1', 'gpt-4.1'], arbiter: 'gpt-4.1' },
];

const MESSAGES = [
  'Is a tomato a fruit?',
  `Review this contract clause by clause.\n${'The lessee shall keep the premises in good repair. '.repeat(60)}`,
];

/** Every strategy with every panel, both messages and one to three rounds. */
const RUNS = STRATEGY_NAMES.flatMap((strategy) =>
  PANELS.flatMap((panel) =>
    MESSAGES.flatMap((message) =>
      [1, 2, 3].map((rounds) => ({ strategy, ...panel, message, rounds, explain: rounds !== 2 })),
    ),
  ),
);

function planOf(asked: Omit<Play, 'id' | 'script'>) {
  return planEnsemble(requestOf(asked), { paces: new AnswerTimes().of('alice'), atMs: fakeClock().nowMs() });
}

async function costOf(asked: Omit<Play, 'id' | 'script'>, id: number, script: Script): Promise<number> {
  const { costNanoUsd } = await playRun({ ...asked, id: requestId(id), script });
  return costNanoUsd;
}

describe('what a plan says of the cost', () => {
  /** Half of the replies between 160 and 640 tokens, some far from that; then some questions get longer texts than others. */
  const SPREADS: readonly Spread[] = [
    { common: 0, own: 1 },
    { common: 0.5, own: 0.5 },
    { common: 0.7, own: 0.7 },
  ];

  it.each(SPREADS)('holds for nine of ten runs, with lengths that spread by $common and $own', async (spread) => {
    const random = fractions(17);
    const missed: string[] = [];
    for (const [index, asked] of RUNS.entries()) {
      const { low, high } = planOf(asked).costNanoUsd;
      const costNanoUsd = await costOf(asked, index, realistic(random, spread));
      if (costNanoUsd < low || costNanoUsd > high) missed.push(`${asked.strategy} ${asked.rounds}`);
    }
    expect(RUNS).toHaveLength(126);
    expect(missed.length).toBeLessThanOrEqual(RUNS.length / 10);
  });

  it('is no wider than it must be: in the middle of all runs the high end is less than ten times the low one', () => {
    const ratios = RUNS.map((asked) => planOf(asked).costNanoUsd).map(({ low, high }) => high / low);
    expect(ratios.toSorted((a, b) => a - b)[RUNS.length / 2]).toBeLessThan(10);
    expect(Math.max(...ratios)).toBeLessThan(25);
  });

  it('counts at the low end only what is called in any case', () => {
    const ends = (asked: Pick<Play, 'strategy' | 'rounds'>, explain = false) => {
      const panel = { models: ['gpt-4o', 'gpt-4o', 'gpt-4o', 'gpt-4o'], arbiter: 'gpt-4o' };
      return planOf({ ...panel, ...asked, explain }).costNanoUsd;
    };
    // A side that concedes in round 2 saves both verdicts: two rounds may come cheaper than the one that is judged.
    const debate = [1, 2].map((rounds) => ends({ strategy: 'debate_tournament', rounds }));
    const chain = [1, 2].map((rounds) => ends({ strategy: 'collaborative_synthesis', rounds }));
    const [added = 0, usual = 0] = [debate, chain].map(([one, two]) => (two?.low ?? 0) / (one?.low ?? 1));
    expect(added).toBeLessThan(usual);
    // The first review may approve, the first attack find nothing, round 2 bring nothing new.
    for (const strategy of STRATEGY_NAMES) {
      const [two, five] = [2, 5].map((rounds) => ends({ strategy, rounds }));
      expect({ strategy, ratio: (five?.low ?? 0) / (two?.low ?? 1) }).toEqual({ strategy, ratio: 1 });
      expect(five?.high).toBeGreaterThan(two?.high ?? Infinity);
    }
    expect(ends({ strategy: 'hierarchical', rounds: 1 }).low).toBe(ends({ strategy: 'hierarchical', rounds: 3 }).low);
  });

  it('is at the low end one draft where that may be the answer', () => {
    const request = requestOf({
      strategy: 'expert_panel',
      models: ['gpt-4o', 'gpt-4o-mini'],
      arbiter: 'gpt-4o',
      rounds: 3,
    });
    const facts = { paces: new AnswerTimes().of('alice'), atMs: fakeClock().nowMs() };
    const { completionTokens } = planEnsemble({ ...request, auto: true }, facts);
    const alone = planEnsemble({ ...request, errand: true, includeExplanation: false }, facts);
    expect(alone.strategy).toBe('pass_through');
    expect(completionTokens.low).toBe(alone.completionTokens.low);
  });
});
