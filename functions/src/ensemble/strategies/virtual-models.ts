import type { Strategy } from '../run';
import { STRATEGIES, STRATEGY_NAMES } from './strategies';

/** A model id that stands for an ensemble, for chat UIs that can choose a model and nothing else. */
export interface VirtualModel {
  readonly id: string;
  readonly name: string;
  /** Absent for plain `ensemble`: the default strategy. */
  readonly strategy?: Strategy;
}

/** `ensemble` and `ensemble-<strategy>`, with hyphens. */
export const VIRTUAL_MODELS: readonly VirtualModel[] = [
  { id: 'ensemble', name: 'Ensemble' },
  ...STRATEGY_NAMES.map((name) => ({
    id: `ensemble-${name.replaceAll('_', '-')}`,
    name: `Ensemble: ${name.replaceAll('_', ' ')}`,
    strategy: STRATEGIES[name],
  })),
];

/** The virtual model of that id, if it is one. */
export function virtualModel(id: string): VirtualModel | undefined {
  return VIRTUAL_MODELS.find((model) => model.id === id);
}
