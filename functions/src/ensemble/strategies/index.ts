import type { EnsembleRequest } from '../run';
import type { StrategyName } from '../strategy-names';
import { chainOfThought } from './chain-of-thought';
import { collaborativeSynthesis } from './collaborative-synthesis';
import { competitiveRefinement } from './competitive-refinement';
import { debateTournament } from './debate-tournament';
import { expertPanel } from './expert-panel';
import { hierarchical } from './hierarchical';
import { isPassThrough, passThrough } from './pass-through';
import { redTeamBlueTeam } from './red-team-blue-team';
import type { Strategy } from './strategy';

const STRATEGIES: Readonly<Record<StrategyName, Strategy>> = {
  competitive_refinement: competitiveRefinement,
  collaborative_synthesis: collaborativeSynthesis,
  expert_panel: expertPanel,
  debate_tournament: debateTournament,
  hierarchical,
  chain_of_thought: chainOfThought,
  red_team_blue_team: redTeamBlueTeam,
};

/** The strategy that plays a request. */
export function strategyFor(request: EnsembleRequest): Strategy {
  return isPassThrough(request) ? passThrough : STRATEGIES[request.strategy];
}
