import type { Strategy } from '../run';
import { STRATEGIES, STRATEGY_NAMES } from './strategies';

/** A model id that stands for an ensemble, for chat UIs that can choose a model and nothing else. */
export interface VirtualModel {
  readonly id: string;
  readonly name: string;
  /** Absent for plain `ensemble`: the default strategy. */
  readonly strategy?: Strategy;
  /** Whether a message that needs no panel is answered by one model. */
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

/** The virtual model of that id, if it is one. */
export function virtualModel(id: string): VirtualModel | undefined {
  return VIRTUAL_MODELS.find((model) => model.id === id);
}
