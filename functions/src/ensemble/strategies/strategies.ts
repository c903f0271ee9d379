/*
 * The strategies: a file or a folder for each, and a row here; nothing else names one. A strategy imports the kernel and
 * `prompting/`, never another strategy. What each does and costs is in `docs/strategies.md`.
 */

import { editDistance } from '../../lib/edit-distance';
import type { EnsembleRequest, Strategy } from '../run';
import { agent } from './agent/agent';
import { onDemand } from './auto/auto';
import { chainOfThought } from './chain-of-thought/chain-of-thought';
import { collaborativeSynthesis } from './collaborative-synthesis';
import { competitiveRefinement } from './competitive-refinement';
import { debateTournament } from './debate-tournament/debate-tournament';
import { expertPanel } from './expert-panel/expert-panel';
import { hierarchical } from './hierarchical/hierarchical';
import { answersAlone, passThrough } from './pass-through/pass-through';
import { redTeamBlueTeam } from './red-team-blue-team/red-team-blue-team';

/** Strategies by the names that callers know, in the order of `GET /v1/models`. */
export const STRATEGIES = {
  competitive_refinement: competitiveRefinement,
  collaborative_synthesis: collaborativeSynthesis,
  expert_panel: expertPanel,
  debate_tournament: debateTournament,
  hierarchical,
  chain_of_thought: chainOfThought,
  red_team_blue_team: redTeamBlueTeam,
} satisfies Readonly<Record<string, Strategy>>;

export type StrategyName = keyof typeof STRATEGIES;

export const STRATEGY_NAMES = Object.keys(STRATEGIES) as StrategyName[];

/** Used when none is named, and when an unknown one is. */
export const DEFAULT_STRATEGY: Strategy = STRATEGIES.competitive_refinement;

/** The strategy of that name; anything else silently becomes the default (`docs/api.md`, Ensemble options). */
export function strategyNamed(name: unknown): Strategy {
  const known = STRATEGY_NAMES.find((each) => each === name);
  return known === undefined ? DEFAULT_STRATEGY : STRATEGIES[known];
}

/** Names in logs and plans of what callers cannot name: one call to one model, and an ensemble with tools. */
export const PASS_THROUGH = 'pass_through';
export const AGENT = 'agent';

/** True of a name under which tools are called. */
export function takesTools(strategy: string): boolean {
  return strategy === PASS_THROUGH || strategy === AGENT;
}

export function strategyName(strategy: Strategy): string {
  if (strategy === agent) return AGENT;
  const named = strategy.within ?? strategy;
  return STRATEGY_NAMES.find((name) => STRATEGIES[name] === named) ?? PASS_THROUGH;
}

/** The strategy that plays a request: the one asked for, unless one model alone does as well; on demand, if that is wanted. */
export function strategyFor(request: EnsembleRequest): Strategy {
  if (answersAlone(request)) return passThrough;
  if (request.agent) return agent;
  return request.auto ? onDemand(request.strategy) : request.strategy;
}

/** A model id that stands for an ensemble, for chat UIs that can choose a model and nothing else. */
export interface VirtualModel {
  readonly id: string;
  readonly name: string;
  /** Absent for plain `ensemble`: the default strategy. */
  readonly strategy?: Strategy;
  /** True where a message that needs no panel is answered by one model. */
  readonly auto?: boolean;
}

const PANELS: readonly VirtualModel[] = [
  { id: 'ensemble', name: 'Ensemble' },
  ...STRATEGY_NAMES.map((name) => ({
    id: `ensemble-${name.replaceAll('_', '-')}`,
    name: `Ensemble: ${name.replaceAll('_', ' ')}`,
    strategy: STRATEGIES[name],
  })),
];

/** `ensemble` and `ensemble-<strategy>`, with hyphens; each once more on demand, as `ensemble-auto` and so on. */
export const VIRTUAL_MODELS: readonly VirtualModel[] = [
  ...PANELS,
  ...PANELS.map((model) => ({ ...model, id: `${model.id}-auto`, name: `${model.name}, on demand`, auto: true })),
];

export function virtualModel(id: string): VirtualModel | undefined {
  return VIRTUAL_MODELS.find((model) => model.id === id);
}

/** No virtual id is longer; what comes after is not compared. */
const ID_LENGTH_MAX = 60;
const TYPOS_MAX = 2;

/** The virtual id that was probably meant by one that is none; undefined for an id that is like none of them. */
export function similarVirtualId(id: string): string | undefined {
  const word = id.slice(0, ID_LENGTH_MAX).toLowerCase().replaceAll('_', '-');
  const isMeant = word.startsWith('ensemble');
  const longer = isMeant ? VIRTUAL_MODELS.find((model) => model.id.startsWith(word)) : undefined;
  const max = isMeant ? ID_LENGTH_MAX : TYPOS_MAX;
  const [nearest] = VIRTUAL_MODELS.map((model) => ({ id: model.id, distance: editDistance(word, model.id, max) }))
    .filter(({ distance }) => distance <= max)
    .sort((a, b) => a.distance - b.distance);
  return (longer ?? nearest)?.id;
}
