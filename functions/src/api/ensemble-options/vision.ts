import type { Panel } from '../../ensemble/panel/panel';
import { type Refusal, refuse } from '../../errors';
import type { ModelRow } from '../../models/catalog';

/** Refuses images that somebody of the panel cannot see, by name. */
export function refuseBlind(panel: Panel, what: string): Refusal | undefined {
  const blind = namesOf(panel, ({ vision }) => !vision);
  if (blind === '') return undefined;
  const have = blind.includes(', ') ? 'have' : 'has';
  return refuse('invalid_request', `${what} need models with vision, which ${blind} ${have} not`);
}

/** The names of those models of a panel, each once. */
function namesOf({ participants, arbiter }: Panel, which: (model: ModelRow) => boolean): string {
  const models = [...participants, arbiter].map(({ model }) => model).filter(which);
  return [...new Set(models.map(({ name }) => name))].join(', ');
}
