import { STRATEGY_NAMES, type StrategyName } from '../ensemble/strategy-names';

/** A model id that stands for an ensemble, for chat UIs that can choose a model and nothing else. */
export interface VirtualModel {
  readonly id: string;
  readonly name: string;
  /** Absent for plain `ensemble`: the default strategy. */
  readonly strategy?: StrategyName;
}

/** `ensemble` and `ensemble-<strategy>`, with hyphens. */
export const VIRTUAL_MODELS: readonly VirtualModel[] = [
  { id: 'ensemble', name: 'Ensemble' },
  ...STRATEGY_NAMES.map((strategy) => ({
    id: `ensemble-${strategy.replaceAll('_', '-')}`,
    name: `Ensemble: ${strategy.replaceAll('_', ' ')}`,
    strategy,
  })),
];

/** The virtual model of that id, if it is one. */
export function virtualModel(id: string): VirtualModel | undefined {
  return VIRTUAL_MODELS.find((model) => model.id === id);
}
