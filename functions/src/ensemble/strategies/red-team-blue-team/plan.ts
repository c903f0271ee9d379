import { twoTeams } from '../../panel/panel';
import { callsOf, type StrategyPlan, wavesOfRounds } from '../../plan/planned-wave';
import type { EnsembleRequest } from '../../run';

/** Blue drafts; in each round red reads all of them, and every blue its own. */
export function engagementPlan({ panel, rounds }: EnsembleRequest): StrategyPlan {
  const { odd: blue, even: red } = twoTeams(panel);
  return {
    waves: [
      { round: 0, calls: callsOf(blue, 'draft', 0) },
      ...wavesOfRounds({ from: 1, rounds }, () => [callsOf(red, 'attack', blue.length), callsOf(blue, 'revise', 1)]),
    ],
    material: blue.length,
  };
}
