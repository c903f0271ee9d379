import { seatPanel } from '../../src/ensemble/panel/panel';
import type { EnsembleRequest } from '../../src/ensemble/run';
import { STRATEGIES, STRATEGY_NAMES } from '../../src/ensemble/strategies/strategies';
import { createCatalog } from '../../src/models/catalog';
import { isLongMode } from '../support/long-mode';
import fc from '../support/properties';
import { readTrace } from '../support/read-trace';
import { attemptsOf, candidatesOf, figuresOf, untrueSights } from './trace/proofs';
import { behaviours, modelIdOf, scriptOf } from './trace/scripts';
import { playTraced } from './trace/traced-run';

/**
 * The trace is the truth: from its events alone it can be told who was shown which text, who stands for what, what was
 * consumed and how it ended; and that is what the models were really asked, what the client got and what is booked.
 */

const NAMES = ['ash', 'birch', 'cedar', 'dogwood', 'elm'];
const { modelOf } = createCatalog();

interface Drawn {
  readonly strategy: (typeof STRATEGY_NAMES)[number];
  readonly members: number;
  readonly arbiter: string;
  readonly rounds: number;
  readonly auto: boolean;
  readonly explain: boolean;
  readonly followUps: boolean;
  readonly systemPrompt: boolean;
  readonly shares: boolean;
}

const drawn = fc.record({
  strategy: fc.constantFrom(...STRATEGY_NAMES),
  members: fc.integer({ min: 1, max: 5 }),
  /** Of the panel or not. */
  arbiter: fc.constantFrom('umpire', 'umpire', 'ash'),
  rounds: fc.integer({ min: 1, max: 4 }),
  auto: fc.boolean(),
  explain: fc.boolean(),
  followUps: fc.boolean(),
  systemPrompt: fc.boolean(),
  shares: fc.boolean(),
});

function requestOf({ strategy, members, arbiter, rounds, explain, followUps, ...more }: Drawn): EnsembleRequest {
  const instructions = 'Be brief.';
  return {
    strategy: STRATEGIES[strategy],
    rounds,
    auto: more.auto,
    panel: seatPanel(
      modelOf(modelIdOf(arbiter)),
      NAMES.slice(0, members).map((who) => modelOf(modelIdOf(who))),
    ),
    message: 'Is a tomato a fruit?',
    history: [],
    sampling: {},
    includeCandidates: true,
    includeExplanation: explain,
    includeFollowUps: followUps,
    ...(more.systemPrompt && { systemPrompt: instructions, ...(more.shares && { sharedPrompt: instructions }) }),
  };
}

const runs = fc.record({
  drawn,
  behaviours,
  live: fc.boolean(),
  leavesAfterMs: fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(90_000) }),
});

describe('a trace', () => {
  it('is well formed and true, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(runs, async ({ drawn, behaviours, live, leavesAfterMs }) => {
        const played = await playTraced({
          request: requestOf(drawn),
          script: scriptOf(behaviours),
          live,
          leavesAfterMs,
        });
        const trace = readTrace(played.events);
        expect(trace.flaws).toEqual([]);
        expect(untrueSights(played, trace)).toEqual([]);
        const { told, ...figures } = figuresOf(played, trace);
        expect(figures).toEqual({ ended: told, booked: told, replied: told });
        const attempts = attemptsOf(played, trace);
        expect(attempts.told).toEqual(attempts.booked);
        expect(trace.end?.calls).toBe(played.rows.length);
        expect(trace.answer).toBe(played.answer);
        const outcome = !played.fault ? 'complete' : leavesAfterMs === undefined ? 'failed' : trace.end?.outcome;
        expect(trace.end?.outcome).toBe(outcome);
        expect(trace.end?.message).toBe(outcome === 'failed' ? played.fault?.publicText : undefined);
        if (!played.finished) return;
        const { explanation, degraded, followUpPrompts } = played.finished.result;
        expect(trace.verdict).toMatchObject({ degraded, ...(explanation !== undefined && { explanation }) });
        expect(trace.verdict?.followUpPrompts).toEqual(followUpPrompts);
        expect(trace.limitations).toEqual(degraded);
        const candidates = candidatesOf(played, trace);
        expect(candidates?.told).toEqual(candidates?.replied);
      }),
      { numRuns: isLongMode ? 5_000 : 150 },
    );
  });
});
