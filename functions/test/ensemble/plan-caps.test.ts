import { AnswerTimes } from '../../src/ensemble/deadline/answer-times';
import { estimateRun } from '../../src/ensemble/estimate/estimate-run';
import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import { estimatePromptTokens } from '../../src/models/estimate-tokens';
import { ModelFault } from '../../src/models/model-fault';
import { fakeClock } from '../support/fake-clock';
import { type Play, playRun, requestId, requestOf } from '../support/played-run';
import fc from '../support/properties';
import type { Script } from '../support/scripted-models';
import { textOfTokens } from '../support/text-of-tokens';
import { fractions, obedient, replyOfLength, TOKEN } from './reply-lengths';

/** USD for a million tokens read and written, which is nano-USD for a thousandth of one. */
const PRICES: Readonly<Record<string, { readonly read: number; readonly written: number }>> = {
  'gpt-4o': { read: 2.5, written: 10 },
  'gpt-4o-mini': { read: 0.15, written: 0.6 },
  'gpt-4.1': { read: 2, written: 8 },
  'gpt-4.1-mini': { read: 0.4, written: 1.6 },
  'o4-mini': { read: 1.1, written: 4.4 },
};
const MODELS = Object.keys(PRICES);
/** Models that think, of which 3,000 tokens more are expected. */
const THINKING = new Set(['o4-mini']);
/** Messages of six and of 1,800 tokens. */
const MESSAGES = [textOfTokens(6), textOfTokens(1_800)];

function nanoUsd(model: string, promptTokens: number, completionTokens: number): number {
  const { read = 0, written = 0 } = PRICES[model] ?? {};
  return 1_000 * (promptTokens * read + completionTokens * written);
}

/** Number of texts that the answer is made from. */
const MATERIAL: Readonly<Record<StrategyName, (n: number, rounds: number) => number>> = {
  competitive_refinement: (n, rounds) => (rounds > 1 ? 2 * n : n),
  collaborative_synthesis: (n) => n,
  expert_panel: (n) => n,
  debate_tournament: (n) => Math.max(2, n),
  hierarchical: (n) => Math.max(1, n - 2),
  chain_of_thought: (n) => n,
  red_team_blue_team: (n) => Math.ceil(n / 2),
};

const cases = fc.record({
  strategy: fc.constantFrom(...STRATEGY_NAMES),
  models: fc.array(fc.constantFrom(...MODELS), { minLength: 1, maxLength: 5 }),
  arbiter: fc.constantFrom(...MODELS),
  rounds: fc.integer({ min: 1, max: 5 }),
  explain: fc.boolean(),
  followUps: fc.boolean(),
  /** True if there is a draft before the panel, which one time in four is the answer. */
  auto: fc.boolean(),
  message: fc.constantFrom(...MESSAGES),
  /** The cap: 0 is one short answer alone, 1,000 what the whole plan comes to with long texts, with equal ratios between. */
  scale: fc.integer({ min: 0, max: 1_200 }),
  /** The usual length of a reply, and what providers count for each token of a prompt that we estimate. */
  tokens: fc.constantFrom(30, 400, 3_000, 5_000),
  counted: fc.constantFrom(0.75, 1, 4 / 3),
  /** Percentage of calls that break off, the answer's not. */
  faults: fc.constantFrom(0, 0, 10, 40),
  seed: fc.nat(),
});

type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

/** Estimated cost of one answer: our words are 350 tokens, a text 1,200 and as many as the message has. */
function answerEstimate({ strategy, models, arbiter, rounds, message }: Case, alone: boolean): number {
  const messageTokens = message.length;
  const conversation = messageTokens + 4;
  // An arbiter asked alone was let begin with a short answer in mind: no run comes cheaper.
  if (alone) return nanoUsd(arbiter, conversation, 50);
  const text = 1_200 + messageTokens;
  const read = conversation + 350 + MATERIAL[strategy](models.length, rounds) * text;
  return nanoUsd(arbiter, read, text + (THINKING.has(arbiter) ? 3_000 : 0));
}

/** Plays a case; tells what all calls but the answer have left of the cap when the answer’s estimate is set aside. */
async function playCapped(asked: Case) {
  const { strategy, models, arbiter, rounds, explain, followUps, auto, message, scale, tokens, counted, faults } =
    asked;
  const random = fractions(asked.seed % 100_000);
  let answerNanoUsd = 0;
  const script: Script = (call) => {
    const length = tokens * (0.2 + 4 * random() ** 3);
    const isBroken = call.purpose !== 'answer' && 100 * random() < faults;
    const opening = auto && call.purpose === 'draft' && random() < 0.25 ? 'PANEL: no\n' : '';
    const text = `${opening}${replyOfLength(call, length, '\nREVISION: changed')}`;
    const reply = obedient(() => ({ text }))(call);
    const promptTokens = Math.floor(counted * estimatePromptTokens(call.prompt));
    const usage = { promptTokens, completionTokens: Math.ceil(reply.text.length / TOKEN.length) };
    if (call.purpose === 'answer') answerNanoUsd += nanoUsd(arbiter, usage.promptTokens, usage.completionTokens);
    if (!isBroken) return { ...reply, usage };
    return { ...reply, usage, fault: new ModelFault('server') };
  };
  const least = answerEstimate(asked, true);
  const clock = fakeClock();
  const play: Omit<Play, 'id' | 'script'> = {
    strategy,
    models,
    arbiter,
    rounds,
    explain,
    followUps,
    message,
    clock,
    fields: { auto },
  };
  const facts = { paces: new AnswerTimes().of('alice'), atMs: clock.nowMs() };
  const whole = estimateRun(requestOf(play), facts).high.costNanoUsd;
  const maxCostNanoUsd = least * (whole / least) ** (scale / 1_000);
  const limits = { maxCostNanoUsd };
  const run = await clock.settle(playRun({ ...play, limits, id: requestId(asked.seed), script }), 10_000_000);
  const alone = run.calls.every(({ purpose }) => purpose === 'answer');
  const spareNanoUsd = maxCostNanoUsd - answerEstimate(asked, alone) - (run.costNanoUsd - answerNanoUsd);
  return { ...run, alone, spareNanoUsd, passed: run.costNanoUsd > maxCostNanoUsd };
}

describe('maxCostUsd', () => {
  it('is passed by at most what one call, the answer, costs beyond its estimate: others leave room for that', async () => {
    const seen = { alone: 0, stopped: 0, whole: 0, passed: 0, cut: 0 };
    await fc.assert(
      fc.asyncProperty(cases, async (asked) => {
        const { ok, spareNanoUsd, passed, alone, degraded, calls } = await playCapped(asked);
        // Prices are rounded call by call.
        expect(spareNanoUsd).toBeGreaterThanOrEqual(-calls.length);
        expect(ok || asked.faults > 0).toBe(true);
        seen.alone += Number(alone);
        seen.whole += Number(!alone && degraded.length === 0);
        seen.stopped += Number(!alone && degraded.some((text) => text.includes('maxCostUsd')));
        seen.passed += Number(passed);
        seen.cut += Number(calls.some(({ purpose, outputTokensMax }) => purpose !== 'answer' && outputTokensMax));
      }),
      { numRuns: 220 },
    );
    // The property is about something: each of these kinds is met with.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
  });
});
