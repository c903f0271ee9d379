import { chainOfThought } from './chain-of-thought';
import { collaborativeSynthesis } from './collaborative-synthesis';
import { competitiveRefinement } from './competitive-refinement';
import { debateTournament } from './debate-tournament';
import { expertPanel } from './expert-panel';
import { hierarchical } from './hierarchical';
import { redTeamBlueTeam } from './red-team-blue-team';
import type { StrategyProof } from './setup';

/** Promises of the seven strategies. */
export const PROOFS: readonly StrategyProof[] = [
  competitiveRefinement,
  collaborativeSynthesis,
  expertPanel,
  debateTournament,
  hierarchical,
  chainOfThought,
  redTeamBlueTeam,
];
