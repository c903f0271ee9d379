import { AnswerTimes } from '../../src/ensemble/deadline/answer-times';
import { estimateRun } from '../../src/ensemble/estimate/estimate-run';
import type { RunLimits } from '../../src/ensemble/estimate/limits';
import type { CallPurpose } from '../../src/models/model';
import { fakeClock } from '../support/fake-clock';
import { type Play, playRun, requestId, requestOf } from '../support/played-run';
import type { Script } from '../support/scripted-models';
import { replyOfLength } from './reply-lengths';

type Asked = Omit<Play, 'id' | 'script' | 'clock'>;

const ALONE: Asked = { strategy: 'competitive_refinement', models: ['gpt-4o', 'gpt-4o'], arbiter: 'gpt-4o', rounds: 1 };
const REFINE: Asked = {
  strategy: 'competitive_refinement',
  models: ['gpt-4o', 'gpt-4.1', 'gpt-4o-mini'],
  arbiter: 'gpt-4o',
  rounds: 6,
  explain: false,
};
const ATTACK: Asked = { ...REFINE, strategy: 'red_team_blue_team', models: ['gpt-4o', 'gpt-4.1'], rounds: 1 };
const TIME = 'more is likely to take longer than maxSeconds';
const COST = 'more could cost more than maxCostUsd';

/** Plays with models that take ten seconds a call, and more where that is said; what it took, called and said. */
async function played(asked: Asked, limits: RunLimits, secondsOf: (call: Parameters<Script>[0]) => number = () => 10) {
  const clock = fakeClock();
  const startedMs = clock.nowMs();
  const script: Script = (call) => ({
    text: replyOfLength(call, 100, '\nREVISION: changed'),
    delayMs: secondsOf(call) * 1_000,
  });
  const run = await clock.settle(playRun({ ...asked, limits, id: requestId('caps'), script, clock }), 900_000);
  const purposes = run.calls.map(({ purpose }) => purpose);
  return { seconds: (clock.nowMs() - startedMs) / 1_000, purposes, degraded: run.degraded };
}

const ONE_ROUND: Asked = { ...REFINE, rounds: 1 };
const DRAFTS = ['draft', 'draft', 'draft'];

describe('maxSeconds, asked before each wave', () => {
  // Ten seconds a wave, taken for twenty until each model has answered three times; `slow` calls take longer.
  it.each<{
    rule: string;
    asked: Asked;
    maxSeconds: number;
    slow?: readonly [CallPurpose, number];
    seconds: number;
    purposes?: readonly string[];
    degraded: readonly string[];
  }>([
    {
      rule: 'stops before a round that is likely to pass it',
      ...{ asked: REFINE, maxSeconds: 65, seconds: 60 },
      degraded: [`Stopped after round 5 of 6: ${TIME}`],
    },
    {
      rule: 'goes straight to the answer in the middle of a round, when its first wave took long',
      ...{ asked: ATTACK, maxSeconds: 70, slow: ['attack', 35], seconds: 55, purposes: ['draft', 'attack', 'answer'] },
      degraded: [`No revisions in round 1: ${TIME}`],
    },
    {
      rule: 'lets the arbiter answer alone when what goes before the drafts took long: it is given up after thirty',
      asked: { ...ONE_ROUND, strategy: 'expert_panel' },
      ...{ maxSeconds: 65, slow: ['cast', 100], seconds: 40, purposes: ['cast', 'answer'] },
      degraded: [`Only GPT-4o was asked: ${TIME}`],
    },
    {
      rule: 'leaves out the comparison when the drafts took long',
      asked: { ...ONE_ROUND, explain: true },
      ...{ maxSeconds: 65, slow: ['draft', 30], seconds: 40, purposes: [...DRAFTS, 'answer'] },
      degraded: [`No comparison of the answers: ${TIME}`],
    },
    {
      rule: 'leaves out the verdicts when the statements took long',
      asked: { ...ATTACK, strategy: 'debate_tournament' },
      ...{ maxSeconds: 65, slow: ['draft', 18], seconds: 46, purposes: ['draft', 'draft', 'answer'] },
      degraded: [`No verdict: ${TIME}`],
    },
    {
      rule: 'leaves follow-up prompts in, which are asked for beside the answer, where that fits',
      asked: { ...ONE_ROUND, followUps: true },
      ...{ maxSeconds: 40, slow: ['draft', 19], seconds: 29, purposes: [...DRAFTS, 'follow_ups', 'answer'] },
      degraded: [],
    },
    {
      rule: 'leaves follow-up prompts out where not even that fits',
      asked: { ...ONE_ROUND, followUps: true },
      ...{ maxSeconds: 45, slow: ['draft', 29], seconds: 39, purposes: [...DRAFTS, 'answer'] },
      degraded: [`No follow-up prompts: ${TIME}`],
    },
    {
      rule: 'that leaves no time for drafts gets the answer alone',
      ...{ asked: REFINE, maxSeconds: 30, seconds: 10, purposes: ['answer'] },
      degraded: [`Only GPT-4o was asked: ${TIME}`],
    },
  ])('$rule', async ({ rule: _, asked, maxSeconds, slow: [purpose, longer] = ['judge', 0], ...expected }) => {
    const secondsOf = (call: Parameters<Script>[0]) => (call.purpose === purpose ? longer : 10);
    expect(await played(asked, { maxMs: maxSeconds * 1_000 }, secondsOf)).toMatchObject(expected);
  });

  it('cuts a wave off that would take it all', async () => {
    const { seconds, degraded } = await played(REFINE, { maxMs: 60_000 }, ({ providerModel }) =>
      providerModel === 'gpt-4.1' ? 400 : 10,
    );
    expect(seconds).toBeLessThanOrEqual(60);
    expect(degraded[0]).toBe('GPT-4.1 did not answer in round 1 (too slow)');
  });
});

describe('maxCostUsd, asked before each wave', () => {
  it('that allows for the answer alone gets the answer alone, and says so', async () => {
    const { purposes, degraded } = await played(ALONE, { maxCostNanoUsd: 0.014e9 });
    expect(purposes).toEqual(['answer']);
    expect(degraded).toEqual([`Only GPT-4o was asked: ${COST}`]);
  });

  it('says nothing of one model that answers alone: no other was to be asked', async () => {
    const asked = { ...ALONE, models: ['gpt-4o'], explain: false };
    expect(await played(asked, { maxCostNanoUsd: 0.005e9 })).toMatchObject({ purposes: ['answer'], degraded: [] });
    const plan = estimateRun(requestOf({ ...asked, id: 'plan', limits: { maxCostNanoUsd: 0.005e9 } }), {
      paces: new AnswerTimes().of('a'),
      atMs: 0,
    });
    expect(plan.leftOut).toEqual([]);
  });

  it('says which models it cannot count', async () => {
    const asked = { ...ALONE, models: ['nobody-7', 'gpt-4o'] };
    const { degraded } = await played(asked, { maxCostNanoUsd: 1e9 });
    expect(degraded).toEqual(['maxCostUsd leaves out nobody-7: no price is known']);
  });

  it('tells providers how much may be written, but for the answer', async () => {
    const script: Script = (call) => ({ text: replyOfLength(call, 100, '\nREVISION: changed') });
    const ceilings = async (maxCostNanoUsd: number) => {
      const { calls } = await playRun({
        ...ALONE,
        limits: { maxCostNanoUsd },
        explain: false,
        id: requestId('max'),
        script,
      });
      return calls.map(({ purpose, outputTokensMax }) => [purpose, outputTokensMax]);
    };
    // Just enough: the text of usual length. Plenty: as much as any model can write.
    expect(await ceilings(1e9)).toEqual([
      ['draft', 4_096],
      ['draft', 4_096],
      ['answer', undefined],
    ]);
    const [[, tight] = []] = await ceilings(0.0455e9);
    expect(tight).toBeGreaterThanOrEqual(1_205);
    expect(tight).toBeLessThan(1_300);
  });
});

describe('a plan with caps', () => {
  const planOf = (asked: Asked, limits: RunLimits) => {
    const facts = { paces: new AnswerTimes().of('alice'), atMs: fakeClock().nowMs() };
    const { waves, leftOut, durationMs, high } = estimateRun(requestOf({ ...asked, limits }), facts);
    return {
      purposes: waves.map(({ calls }) => calls[0]?.purpose),
      leftOut,
      seconds: durationMs / 1_000,
      costNanoUsd: high.costNanoUsd,
    };
  };

  it('leaves out the rounds that would not be let begin, and says so', () => {
    const { purposes, leftOut, seconds } = planOf(REFINE, { maxMs: 70_000 });
    // Twenty seconds a wave: drafts, one round, the answer.
    expect({ purposes, leftOut, seconds }).toEqual({
      purposes: ['draft', 'revise', 'answer'],
      leftOut: [`Stopped after round 2 of 6: ${TIME}`],
      seconds: 60,
    });
  });

  it('is that of the arbiter alone where nothing else fits', () => {
    const { purposes, leftOut } = planOf(REFINE, { maxMs: 30_000 });
    expect({ purposes, leftOut }).toEqual({ purposes: ['answer'], leftOut: [`Only GPT-4o was asked: ${TIME}`] });
  });

  it('costs no more than the cap, and leaves out the less the higher it is', () => {
    const whole = planOf(REFINE, {});
    let waves = 0;
    for (const share of [0.2, 0.4, 0.6, 0.8, 2]) {
      const maxCostNanoUsd = share * whole.costNanoUsd;
      const { purposes, leftOut, costNanoUsd } = planOf(REFINE, { maxCostNanoUsd });
      expect(costNanoUsd).toBeLessThanOrEqual(maxCostNanoUsd);
      expect(purposes.length).toBeGreaterThanOrEqual(waves);
      expect(leftOut.length > 0).toBe(purposes.length < whole.purposes.length);
      waves = purposes.length;
    }
    expect(waves).toBe(whole.purposes.length);
  });
});
