import { AnswerTimes } from '../../src/ensemble/deadline/answer-times';
import { planEnsemble } from '../../src/ensemble/plan-ensemble';
import { STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import type { CallPurpose } from '../../src/models/model';
import { seededRandom } from '../proof/seeded-random';
import { fakeClock } from '../support/fake-clock';
import { type Play, playRun, requestId, requestOf } from '../support/played-run';
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

/** Repeatable numbers from 0 to 1. */
function fractions(seed: number): () => number {
  const { below } = seededRandom(1 + seed * 7_919);
  return () => below(2 ** 30) / 2 ** 30;
}

/** A token of any model: a word of five letters. */
const TOKEN = 'seven ';

const FORMS: Partial<Readonly<Record<CallPurpose, (words: string) => object>>> = {
  cast: (focus) => ({ lenses: [{ name: 'Cook', focus }] }),
  plan: (task) => ({ items: [task, task] }),
  review: (defect) => ({ verdict: 'revise', defects: [{ item: 1, severity: 'major', defect }] }),
  attack: (why) => ({ findings: [{ severity: 'major', why }] }),
  analyse: (rationale) => ({ winner: null, rationale }),
};

/** Replies whose lengths spread as those of models do: half between 160 and 640 tokens, some far from that. */
function realistic(random: () => number): Script {
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return ({ purpose }) => {
    const tokens = Math.round(320 * Math.exp(normal()));
    const form = FORMS[purpose];
    if (form) return { text: JSON.stringify(form(TOKEN.repeat(Math.ceil(tokens / 4)))) };
    const ending = random() < 0.3 ? '\nREVISION: kept' : '\nREVISION: changed';
    return { text: `${TOKEN.repeat(tokens)}${purpose === 'revise' ? ending : ''}` };
  };
}

describe('what a plan says of the cost', () => {
  it('holds for nine of ten runs of every strategy, with replies of all lengths', async () => {
    const random = fractions(17);
    const missed: string[] = [];
    for (const [index, asked] of RUNS.entries()) {
      const clock = fakeClock();
      const facts = { paces: new AnswerTimes().of('alice'), atMs: clock.nowMs() };
      const { costNanoUsd: range } = planEnsemble(requestOf(asked), facts);
      const { costNanoUsd } = await playRun({ ...asked, id: requestId(index), script: realistic(random), clock });
      if (costNanoUsd < range.low || costNanoUsd > range.high) missed.push(`${asked.strategy} ${asked.rounds}`);
    }
    expect(RUNS).toHaveLength(126);
    expect(missed.length).toBeLessThanOrEqual(RUNS.length / 10);
  });

  it('is no wider than it must be: the high end is less than forty times the low one', () => {
    for (const strategy of STRATEGY_NAMES) {
      const request = requestOf({ strategy, models: ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1'], rounds: 1 });
      const { costNanoUsd } = planEnsemble(request, {
        paces: new AnswerTimes().of('alice'),
        atMs: Date.UTC(2026, 0, 15),
      });
      expect(costNanoUsd.high / costNanoUsd.low).toBeLessThan(40);
    }
  });
});

/** Short replies, and one of 5,000 tokens from whoever answers. */
const PLAIN_LENGTHS = { text: 1_100, form: 500 };

function bounded(random: () => number, answerTokens: number): Script {
  return ({ purpose }) => {
    const form = FORMS[purpose];
    if (form) return { text: JSON.stringify(form(TOKEN.repeat(Math.round(random() * PLAIN_LENGTHS.form * 0.4)))) };
    if (purpose === 'answer') return { text: TOKEN.repeat(answerTokens) };
    return { text: `${TOKEN.repeat(Math.round(random() * PLAIN_LENGTHS.text))}\nREVISION: changed` };
  };
}

/** Plays with a random cap; tells by how much it was passed, nano-USD, 0 for not at all, and how many calls were made. */
async function playCapped(seed: number, answerTokens: number) {
  const random = fractions(seed);
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const asked: Omit<Play, 'id' | 'script'> = {
    strategy: pick(STRATEGY_NAMES),
    models: ['gpt-4o', 'gpt-4o', 'gpt-4o', 'gpt-4o'].slice(0, 2 + Math.floor(random() * 3)),
    arbiter: 'gpt-4o',
    rounds: 1 + Math.floor(random() * 5),
    explain: random() < 0.5,
  };
  const facts = { paces: new AnswerTimes().of('alice'), atMs: fakeClock().nowMs() };
  const { costNanoUsd: whole } = planEnsemble(requestOf(asked), facts);
  // From just above one answer to more than all of it.
  const maxCostNanoUsd = 0.013e9 + random() ** 2 * 1.2 * whole.high;
  const run = await playRun({
    ...asked,
    limits: { maxCostNanoUsd },
    id: requestId(seed),
    script: bounded(random, answerTokens),
  });
  expect(run.ok).toBe(true);
  return { passedBy: Math.max(0, run.costNanoUsd - maxCostNanoUsd), calls: run.calls.length, degraded: run.degraded };
}

describe('maxCostUsd', () => {
  it('is not passed while no reply is longer than a plan takes it to be', async () => {
    const stopped = new Set<boolean>();
    for (let seed = 0; seed < 120; seed += 1) {
      const { passedBy, degraded } = await playCapped(seed, 400);
      expect({ seed, passedBy }).toEqual({ seed, passedBy: 0 });
      stopped.add(degraded.some((text) => text.includes('maxCostUsd')));
    }
    expect(stopped).toEqual(new Set([true, false]));
  });

  it('is passed at most by what the last call, the answer, exceeds its own estimate', async () => {
    let passed = 0;
    for (let seed = 0; seed < 60; seed += 1) {
      const { passedBy } = await playCapped(seed, 5_000);
      // 5,000 tokens instead of 1,200 at $10 a million.
      expect(passedBy).toBeLessThanOrEqual(3_800 * 10_000);
      passed += Number(passedBy > 0);
    }
    expect(passed).toBeGreaterThan(0);
  });

  it('that allows for the answer alone gets the answer alone, and says so', async () => {
    const asked = {
      strategy: 'debate_tournament' as const,
      models: ['gpt-4o', 'gpt-4o'],
      arbiter: 'gpt-4o',
      rounds: 2,
    };
    const script = bounded(fractions(1), 100);
    const run = await playRun({ ...asked, limits: { maxCostNanoUsd: 0.014e9 }, id: requestId('alone'), script });
    expect(run.calls.map(({ purpose }) => purpose)).toEqual(['answer']);
    expect(run.degraded).toEqual(['Only GPT-4o was asked: more could cost more than maxCostUsd']);
  });

  it('says which models it cannot count', async () => {
    const asked = {
      strategy: 'competitive_refinement' as const,
      models: ['nobody-7', 'gpt-4o'],
      arbiter: 'gpt-4o',
      rounds: 1,
    };
    const script = bounded(fractions(1), 100);
    const run = await playRun({ ...asked, limits: { maxCostNanoUsd: 1e9 }, id: requestId('unpriced'), script });
    expect(run.degraded).toEqual(['maxCostUsd leaves out nobody-7: no price is known']);
  });
});

describe('maxSeconds', () => {
  /** Every call takes ten seconds, of the slow one a hundred. */
  const slow =
    (seconds: number): Script =>
    (call) => ({
      ...bounded(fractions(1), 100)(call),
      delayMs: (call.providerModel === 'gpt-4.1' ? seconds : 10) * 1_000,
    });

  async function secondsOf(maxSeconds: number, seconds = 10) {
    const clock = fakeClock();
    const startedMs = clock.nowMs();
    const asked = {
      strategy: 'competitive_refinement' as const,
      models: ['gpt-4o', 'gpt-4.1', 'gpt-4o-mini'],
      arbiter: 'gpt-4o',
      rounds: 6,
    };
    const limits = { maxMs: maxSeconds * 1_000 };
    const running = playRun({
      ...asked,
      limits,
      explain: false,
      id: requestId('seconds'),
      script: slow(seconds),
      clock,
    });
    const { degraded } = await clock.settle(running, 600_000);
    return { seconds: (clock.nowMs() - startedMs) / 1_000, degraded };
  }

  it('stops before a round that is likely to pass it', async () => {
    // Ten seconds a wave, taken for twenty until each model has answered three times. After round 5 fifty are over.
    expect(await secondsOf(65)).toEqual({
      seconds: 60,
      degraded: ['Stopped after round 5 of 6: more is likely to take longer than maxSeconds'],
    });
  });

  it('cuts a wave off that would take it all', async () => {
    const { seconds, degraded } = await secondsOf(60, 400);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(degraded[0]).toBe('GPT-4.1 did not answer in round 1 (too slow)');
  });

  it('that leaves no time for drafts gets the answer alone', async () => {
    expect(await secondsOf(30)).toEqual({
      seconds: 10,
      degraded: ['Only GPT-4o was asked: more is likely to take longer than maxSeconds'],
    });
  });
});
