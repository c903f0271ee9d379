import type { RunLimits } from '../../src/ensemble/estimate/limits';
import { seatPanel } from '../../src/ensemble/panel/panel';
import type { EnsembleRequest } from '../../src/ensemble/run';
import { STRATEGIES, STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { createCatalog, type ModelRow } from '../../src/models/catalog';
import { isLongMode } from '../support/long-mode';
import fc from '../support/properties';
import { type ReadTrace, readTrace } from '../support/read-trace';
import { attemptsOf, candidatesOf, figuresOf, untoldRevisions, untoldWaves, untrueSights } from './trace/proofs';
import { type Behaviour, behaviours, modelIdOf, scriptOf } from './trace/scripts';
import { playTraced, type TracedRun } from './trace/traced-run';

/**
 * The trace is the truth: from its events alone it can be told who was shown which text, who stands for what, what was
 * consumed and how it ended; and that is what the models were really asked, what the client got and what is booked.
 */

const LONGEST_MS = isLongMode ? 600_000 : 30_000;
const NAMES = ['ash', 'birch', 'cedar', 'dogwood', 'elm'];
const { modelOf } = createCatalog();

/** Some have a price, one has a small window. */
function modelCalled(who: string): ModelRow {
  const row = modelOf(modelIdOf(who));
  if (who === 'elm') return row;
  const price = { inputUsdPerMillion: who.length, outputUsdPerMillion: 4 };
  return { ...row, price, ...(who === 'cedar' && { contextTokens: 900 }) };
}

const drawn = fc.record({
  strategy: fc.constantFrom(...STRATEGY_NAMES),
  members: fc.integer({ min: 1, max: 5 }),
  /** Arbiter, of the panel or not. */
  arbiter: fc.constantFrom('umpire', 'umpire', 'ash'),
  rounds: fc.integer({ min: 1, max: 4 }),
  auto: fc.boolean(),
  explain: fc.boolean(),
  followUps: fc.boolean(),
  systemPrompt: fc.boolean(),
  shares: fc.boolean(),
  limits: fc.oneof<fc.MaybeWeightedArbitrary<RunLimits | undefined>[]>(
    { weight: 3, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.record({
        maxCostNanoUsd: fc.integer({ min: 100_000, max: 30_000_000 }),
        maxMs: fc.integer({ min: 5_000, max: 500_000 }),
      }),
    },
  ),
});

type Drawn = Value<typeof drawn>;
type Value<T> = T extends fc.Arbitrary<infer V> ? V : never;

function requestOf({ strategy, members, arbiter, rounds, explain, followUps, ...more }: Drawn): EnsembleRequest {
  const instructions = 'Be brief.';
  return {
    requestId: 'run',
    strategy: STRATEGIES[strategy],
    rounds,
    auto: more.auto,
    panel: seatPanel(modelCalled(arbiter), NAMES.slice(0, members).map(modelCalled)),
    message: 'Is a tomato a fruit?',
    history: [],
    sampling: {},
    includeCandidates: true,
    includeExplanation: explain,
    includeFollowUps: followUps,
    ...(more.limits && { limits: more.limits }),
    ...(more.systemPrompt && { systemPrompt: instructions, ...(more.shares && { sharedPrompt: instructions }) }),
  };
}

const runs = fc.record({
  drawn,
  behaviours,
  live: fc.boolean(),
  leavesAfterMs: fc.oneof<fc.MaybeWeightedArbitrary<number | undefined>[]>(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.nat(90_000) },
  ),
});

const PLAIN: Drawn = {
  ...{ strategy: 'competitive_refinement', members: 1, arbiter: 'umpire', rounds: 1, auto: false, explain: false },
  ...{ followUps: false, systemPrompt: false, shares: false, limits: undefined },
};
const said = (...styles: number[]): Behaviour[] => styles.map((style) => ({ fails: undefined, delayMs: 10, style }));

/** Cases that a draw brings too seldom. */
const RARE: [Value<typeof runs>][] = [
  // The reviewer finds the plan at fault; the new one has no item for who did the second part.
  [
    {
      drawn: { ...PLAIN, strategy: 'hierarchical', members: 5, rounds: 3 },
      behaviours: said(4, 0, 0, 0, 0, 0, 5, 0),
      live: true,
      leavesAfterMs: undefined,
    },
  ],
  // A comparison that cannot be read is asked for once more; that is too long, and is asked for without the first reply.
  [
    {
      drawn: { ...PLAIN, explain: true },
      behaviours: [...said(0, 3), { fails: 'context_length', delayMs: 10, style: 0 }, ...said(0, 0)],
      live: true,
      leavesAfterMs: undefined,
    },
  ],
];

describe('a trace', () => {
  it(
    'is well formed and true, whatever happens',
    async () => {
      await fc.assert(
        fc.asyncProperty(runs, async ({ drawn, behaviours, live, leavesAfterMs }) => {
          const played = await playTraced({
            ...{ request: requestOf(drawn), script: scriptOf(behaviours), live, leavesAfterMs },
          });
          expectTrue(played, readTrace(played.events), { leaves: leavesAfterMs !== undefined });
        }),
        { numRuns: isLongMode ? 5_000 : 200, examples: RARE },
      );
    },
    LONGEST_MS,
  );

  it(
    'changes nothing of what a client is sent, a model is asked or the ledger has',
    async () => {
      await fc.assert(
        fc.asyncProperty(runs, async ({ drawn, behaviours, live, leavesAfterMs }) => {
          const play = (observed: boolean) =>
            playTraced({
              ...{ request: requestOf(drawn), script: scriptOf(behaviours), live, leavesAfterMs, observed },
            });
          const [seen, unseen] = [await play(true), await play(false)];
          expect(unseen.events).toEqual([]);
          expect(seen.pushed).toEqual(unseen.pushed);
          expect(seen.finished?.result).toEqual(unseen.finished?.result);
          expect(seen.calls.map(({ prompt }) => prompt)).toEqual(unseen.calls.map(({ prompt }) => prompt));
          expect(seen.rows).toEqual(unseen.rows);
        }),
        { numRuns: isLongMode ? 1_000 : 50, examples: RARE },
      );
    },
    LONGEST_MS,
  );
});

function expectTrue(played: TracedRun, trace: ReadTrace, { leaves }: { readonly leaves: boolean }): void {
  expect(trace.flaws).toEqual([]);
  expect(untrueSights(played, trace)).toEqual([]);
  const { told, ...figures } = figuresOf(played, trace);
  expect(figures).toEqual({ ended: told, booked: told, replied: told });
  const attempts = attemptsOf(played, trace);
  expect(attempts.told).toEqual(attempts.booked);
  expect(trace.end?.calls).toBe(played.calls.length);
  expect(trace.answer).toBe(played.answer);
  const outcome = !played.fault ? 'complete' : leaves ? trace.end?.outcome : 'failed';
  expect(trace.end?.outcome).toBe(outcome);
  expect(trace.end?.message).toBe(outcome === 'failed' ? played.fault?.publicText : undefined);
  if (!played.finished) return;
  const { explanation, degraded, followUpPrompts } = played.finished.result;
  expect(trace.verdict).toMatchObject({ degraded, ...(explanation !== undefined && { explanation }) });
  expect(trace.verdict?.followUpPrompts).toEqual(followUpPrompts);
  expect(trace.limitations).toEqual(degraded);
  expect(untoldRevisions(trace)).toEqual([]);
  expect(untoldWaves(trace)).toEqual([]);
  const candidates = candidatesOf(played, trace);
  expect(candidates?.told).toEqual(candidates?.replied);
}
