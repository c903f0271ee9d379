import { degrade } from '../degrade';
import type { EnsembleRequest } from '../run';
import type { StrategyName } from '../strategy-names';
import { competitiveRefinement } from './competitive-refinement';
import { isPassThrough, passThrough } from './pass-through';
import type { Strategy } from './strategy';

const STRATEGIES: Readonly<Record<StrategyName, Strategy>> = {
  competitive_refinement: competitiveRefinement,
  collaborative_synthesis: standIn('collaborative_synthesis'),
  expert_panel: standIn('expert_panel'),
  debate_tournament: standIn('debate_tournament'),
  hierarchical: standIn('hierarchical'),
  chain_of_thought: standIn('chain_of_thought'),
  red_team_blue_team: standIn('red_team_blue_team'),
};

/** The strategy that plays a request. */
export function strategyFor(request: EnsembleRequest): Strategy {
  return isPassThrough(request) ? passThrough : STRATEGIES[request.strategy];
}

/** Plays competitive refinement under another name, and says so on every channel: never a silent swap. */
function standIn(name: StrategyName): Strategy {
  return {
    firstWave: competitiveRefinement.firstWave,
    play: async (run) => {
      degrade(run, `This version runs competitive_refinement in place of ${name}`);
      await competitiveRefinement.play(run);
    },
  };
}
