import { callsOf, type StrategyPlan, wavesOfRounds } from '../../plan/planned-wave';
import type { EnsembleRequest } from '../../run';

/** Drafts; then everybody reads everybody. */
export function refinementPlan({ panel: { participants }, rounds }: EnsembleRequest): StrategyPlan {
  const everybody = participants.length;
  return {
    waves: [
      { round: 0, calls: callsOf(participants, 'draft', 0) },
      ...wavesOfRounds({ from: 2, rounds }, () => [callsOf(participants, 'revise', everybody)]),
    ],
    material: everybody,
  };
}
