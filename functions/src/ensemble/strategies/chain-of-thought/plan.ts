import { callsOf, type StrategyPlan, wavesOfRounds } from '../../plan/planned-wave';
import type { EnsembleRequest } from '../../run';

/** Solutions; then everybody reads its own and one other's, which every n rounds is its own. */
export function reasoningPlan({ panel: { participants }, rounds }: EnsembleRequest): StrategyPlan {
  const ring = participants.length;
  return {
    waves: [
      { round: 0, calls: callsOf(participants, 'draft', 0) },
      ...wavesOfRounds({ from: 2, rounds }, (round) => [
        callsOf(participants, 'revise', (round - 1) % ring === 0 ? 1 : 2),
      ]),
    ],
    material: ring,
  };
}
