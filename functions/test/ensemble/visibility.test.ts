import type { StrategyName } from '../../src/ensemble/strategies/strategies';
import { isLongMode } from '../support/long-mode';
import { PROOFS } from './visibility';
import { indiscretions } from './visibility/discretion';
import { actualMatrix, expectedMatrix } from './visibility/matrix';
import { members, type Setup } from './visibility/setup';
import { startVisibilityApp, type VisibilityApp } from './visibility/visibility-app';

/**
 * The visibility proof. Every text a model gives carries a token that names its author, its step and its round; so
 * the input of a call tells exactly whose texts it was made from. For every strategy with 1 to 6 participants and 1 to
 * 10 rounds: who saw what, in which order, in how many calls, and that nobody is named to anybody.
 */

/** Calls without an early stop, a failure or a repair: n participants, r rounds, v = 1 with an explanation. */
const CALLS: Readonly<Record<StrategyName, (n: number, r: number, v: number) => number>> = {
  competitive_refinement: (n, r, v) => n * r + 1 + v,
  collaborative_synthesis: (n, r, v) => n * r + 1 + v,
  expert_panel: (n, r, v) => n * r + 2 + v,
  debate_tournament: (n, r) => Math.max(2, n) * r + 3,
  hierarchical: (n, r, v) => 2 + r * (Math.max(1, n - 2) + 1) + v,
  chain_of_thought: (n, r, v) => n * r + 1 + v,
  red_team_blue_team: (n, r, v) => Math.ceil(n / 2) + r * Math.max(2, n) + 1 + v,
};

/** Waves, one after the other, in r rounds. */
const WAVES: Readonly<Record<StrategyName, (r: number, v: number) => number>> = {
  competitive_refinement: (r, v) => r + 1 + v,
  collaborative_synthesis: (r, v) => r + 1 + v,
  expert_panel: (r, v) => r + 2 + v,
  debate_tournament: (r) => r + 3,
  hierarchical: (r, v) => 2 * r + 2 + v,
  chain_of_thought: (r, v) => r + 1 + v,
  red_team_blue_team: (r, v) => 2 * r + 2 + v,
};

const SIZES = [1, 2, 3, 4, 5, 6].flatMap((n) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((r) => ({ n, r })));
const MODES = [0, 1].flatMap((v) => [true, false].map((formal) => ({ v, formal })));

describe('who sees what', () => {
  /** A service for each mode: while one waits for its disk another can play. */
  let services: readonly { readonly service: VisibilityApp; readonly v: number; readonly formal: boolean }[];
  beforeAll(async () => {
    services = await Promise.all(MODES.map(async (mode) => ({ ...mode, service: await startVisibilityApp() })));
  });
  afterAll(() => Promise.all(services.map(({ service }) => service.app.close())));

  describe.each(PROOFS)('$strategy', (proof) => {
    it.each(SIZES)('n = $n, r = $r', async ({ n, r }) => {
      // Two of the modes for each size, the other two for its neighbours.
      const isDue = ({ v, formal }: (typeof services)[number]) => isLongMode || (n + r + v + Number(formal)) % 2 === 0;
      const played = services.filter(isDue).map(async ({ service, v, formal }) => {
        const setup: Setup = { members: members(n), rounds: r, explained: v === 1, formal };
        return { setup, v, ...(await service.run(proof, setup)) };
      });
      for (const { setup, v, waves, calls, status } of await Promise.all(played)) {
        expect(actualMatrix(waves)).toEqual(expectedMatrix(proof.waves(setup)));
        expect(calls.flatMap(indiscretions)).toEqual([]);
        expect(calls).toHaveLength(CALLS[proof.strategy](n, r, v));
        expect(waves).toHaveLength(WAVES[proof.strategy](r, v));
        expect(status).toBe(200);
      }
    });
  });
});
