import { callsOf, type StrategyPlan, wavesOfRounds } from '../../plan/planned-wave';
import type { EnsembleRequest } from '../../run';
import { crewOf } from './work';

/** The plan of the work, its parts and their review; then parts again, each with its own before it. */
export function divisionPlan({ panel, rounds }: EnsembleRequest): StrategyPlan {
  const { strategist, reviewer, implementers } = crewOf(panel);
  const review = callsOf([reviewer], 'review', implementers.length);
  return {
    waves: [
      { round: 0, calls: callsOf([strategist], 'plan', 0) },
      { round: 0, calls: callsOf(implementers, 'draft', 0) },
      { round: 0, calls: review },
      ...wavesOfRounds({ from: 2, rounds }, () => [callsOf(implementers, 'revise', 1), review]),
    ],
    material: implementers.length,
    // The first review may approve.
    least: { waves: 3 },
  };
}
