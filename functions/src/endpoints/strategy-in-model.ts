import { DEFAULT_STRATEGY, STRATEGY_NAMES, type StrategyName } from '../ensemble/strategy-names';

/**
 * The strategy that a model id asks for at `/v1/responses` (spec "Strategy rule"). Only an id with `ensemble` or
 * `panel` in it asks for one: the one it names, with hyphens or underscores; else `expert_panel` for `panel`; else the
 * default. Any other id is a single-model run, which is the default strategy over that one model.
 */
export function strategyInModel(model: string): StrategyName {
  const isPanel = model.includes('panel');
  if (!isPanel && !model.includes('ensemble')) return DEFAULT_STRATEGY;
  const words = model.replaceAll('-', '_');
  return STRATEGY_NAMES.find((name) => words.includes(name)) ?? (isPanel ? 'expert_panel' : DEFAULT_STRATEGY);
}
