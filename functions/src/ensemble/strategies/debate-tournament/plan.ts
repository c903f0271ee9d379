import { callsOf, type StrategyPlan, wavesOfRounds } from '../../plan/planned-wave';
import type { EnsembleRequest } from '../../run';
import { debateTeams } from './speakers';

/** The motion, both sides on it, then everybody reads all statements; the arbiter judges in both orders. */
export function debatePlan({ panel, rounds }: EnsembleRequest): StrategyPlan {
  const { proposition, opposition } = debateTeams(panel);
  const speakers = [...proposition, ...opposition];
  return {
    waves: [
      { round: 0, calls: callsOf(proposition.slice(0, 1), 'draft', 0) },
      { round: 0, calls: callsOf([...proposition.slice(1), ...opposition], 'draft', 1) },
      ...wavesOfRounds({ from: 2, rounds }, () => [callsOf(speakers, 'revise', speakers.length)]),
    ],
    material: speakers.length,
    verdicts: 2,
    // A side may concede in round 2.
    least: { unread: rounds > 1 },
  };
}
