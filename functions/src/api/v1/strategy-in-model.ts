import type { Strategy } from '../../ensemble/run';
import { DEFAULT_STRATEGY, STRATEGIES } from '../../ensemble/strategies/strategies';

/**
 * The strategy that a model id asks for (`docs/api.md`, Responses). Only an id with `ensemble` or a strategy's own word
 * in it asks for one: the one it names, with hyphens or underscores; else the one with that word; else the default. Any
 * other id is a single-model run, which is the default strategy over that one model.
 */
export function strategyInModel(model: string): Strategy {
  const rows: [string, Strategy][] = Object.entries(STRATEGIES);
  const hinted = rows.find(([, { modelWord }]) => modelWord !== undefined && model.includes(modelWord));
  if (!hinted && !model.includes('ensemble')) return DEFAULT_STRATEGY;
  const words = model.replaceAll('-', '_');
  const named = rows.find(([name]) => words.includes(name));
  return (named ?? hinted)?.[1] ?? DEFAULT_STRATEGY;
}
