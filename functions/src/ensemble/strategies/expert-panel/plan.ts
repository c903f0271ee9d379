import { callsOf, type StrategyPlan, wavesOfRounds } from '../../plan/planned-wave';
import type { EnsembleRequest } from '../../run';

/** The choice of the points of view, opinions, then everybody reads all opinions. */
export function consultationPlan({ panel: { participants, arbiter }, rounds }: EnsembleRequest): StrategyPlan {
  const everybody = participants.length;
  return {
    waves: [
      { round: 0, calls: callsOf([arbiter], 'cast', 0) },
      { round: 0, calls: callsOf(participants, 'draft', 0) },
      ...wavesOfRounds({ from: 2, rounds }, () => [callsOf(participants, 'revise', everybody)]),
    ],
    material: everybody,
  };
}
