/** The seven strategies of the spec ("EnsembleStrategy"). */
export const STRATEGY_NAMES = [
  'competitive_refinement',
  'collaborative_synthesis',
  'expert_panel',
  'debate_tournament',
  'hierarchical',
  'chain_of_thought',
  'red_team_blue_team',
] as const;

export type StrategyName = (typeof STRATEGY_NAMES)[number];

/** Used when none is named, and when an unknown one is. */
export const DEFAULT_STRATEGY: StrategyName = 'competitive_refinement';

/** The strategy of that name; anything else silently becomes the default (spec "EnsembleStrategy"). */
export function strategyNamed(name: unknown): StrategyName {
  return STRATEGY_NAMES.find((known) => known === name) ?? DEFAULT_STRATEGY;
}
