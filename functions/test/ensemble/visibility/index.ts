import { chainOfThought } from './chain-of-thought';
import { collaborativeSynthesis } from './collaborative-synthesis';
import { competitiveRefinement } from './competitive-refinement';
import { debateTournament } from './debate-tournament';
import { expertPanel } from './expert-panel';
import { hierarchical } from './hierarchical';
import { redTeamBlueTeam } from './red-team-blue-team';
import type { StrategyProof } from './setup';

/** What each of the seven strategies promises. */
export const PROOFS: readonly StrategyProof[] = [
  competitiveRefinement,
  collaborativeSynthesis,
  expertPanel,
  debateTournament,
  hierarchical,
  chainOfThought,
  redTeamBlueTeam,
];
