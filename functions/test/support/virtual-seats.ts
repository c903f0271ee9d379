import { type Panel, seatPanel } from '../../src/ensemble/panel';
import { createCatalog } from '../../src/models/catalog';
import type { Character } from './faulty-models';
import type { Schedule } from './virtual-schedule';

const { modelOf } = createCatalog();

/** Who sits where, and who plays whom. */
export interface Seats {
  readonly panel: Panel;
  /** By model id. */
  readonly characters: ReadonlyMap<string, Character>;
}

/** Ids of the built-in family: their price is known without a price list. */
const demoId = (seat: number | 'arbiter'): string => (seat === 'arbiter' ? 'demo-arbiter' : `demo-m${seat}`);

/** Gives every character of a schedule a model id; twins share one. */
export function seatModels({ participants, arbiter }: Schedule, idOf: typeof demoId = demoId): Seats {
  const characters = new Map<string, Character>();
  const ids: string[] = [];
  for (const [index, { character, twin }] of participants.entries()) {
    const before = ids.at(-1);
    const id = twin && before !== undefined ? before : idOf(index + 1);
    ids.push(id);
    if (id !== before) characters.set(id, character);
  }
  const shared = typeof arbiter === 'number' ? ids[arbiter % ids.length] : undefined;
  if (typeof arbiter !== 'number') characters.set(idOf('arbiter'), arbiter);
  return { panel: seatPanel(modelOf(shared ?? idOf('arbiter')), ids.map(modelOf)), characters };
}

/** A schedule as a client asks for it; an endpoint takes the prompt in its own field. */
export function bodyOf(schedule: Schedule, { panel }: Seats): object {
  const { strategy, rounds, live, includeCandidates, includeExplanation, includeFollowUps } = schedule;
  return {
    model: panel.arbiter.model.id,
    stream: live,
    ai_ensemble: {
      strategy,
      rounds,
      models: panel.participants.map(({ model }) => model.id),
      includeCandidates,
      includeReasoning: includeExplanation,
      includeFollowUpPrompts: includeFollowUps,
    },
  };
}
