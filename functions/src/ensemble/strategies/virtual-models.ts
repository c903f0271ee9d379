import { editDistance } from '../../lib/edit-distance';
import type { Strategy } from '../run';
import { STRATEGIES, STRATEGY_NAMES } from './strategies';

/** A model id that stands for an ensemble, for chat UIs that can choose a model and nothing else. */
export interface VirtualModel {
  readonly id: string;
  readonly name: string;
  /** Absent for plain `ensemble`: the default strategy. */
  readonly strategy?: Strategy;
  /** True where a message that needs no panel is answered by one model. */
  readonly auto?: boolean;
}

/** No virtual id is longer; what comes after is not compared. */
const ID_LENGTH_MAX = 60;
const TYPOS_MAX = 2;

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

/** The virtual id that was probably meant by one that is none; undefined for an id that is like none of them. */
export function similarVirtualId(id: string): string | undefined {
  const word = id.slice(0, ID_LENGTH_MAX).toLowerCase().replaceAll('_', '-');
  const isMeant = word.startsWith('ensemble');
  const max = isMeant ? ID_LENGTH_MAX : TYPOS_MAX;
  const rows = VIRTUAL_MODELS.map((model) => ({ id: model.id, distance: editDistance(word, model.id, max) }));
  const [nearest] = rows.filter(({ distance }) => distance <= max).sort((a, b) => a.distance - b.distance);
  const longer = VIRTUAL_MODELS.find((model) => word !== 'ensemble' && model.id.startsWith(word));
  return isMeant || nearest ? (longer ?? nearest)?.id : undefined;
}

/** The virtual model of that id, if it is one. */
export function virtualModel(id: string): VirtualModel | undefined {
  return VIRTUAL_MODELS.find((model) => model.id === id);
}
