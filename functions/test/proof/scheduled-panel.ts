import { type Panel, seatPanel } from '../../src/ensemble/panel/panel';
import { createCatalog } from '../../src/models/catalog';
import type { Behaviour } from './faulty-models';
import type { Schedule } from './schedule';

const { modelOf } = createCatalog();

/** Seats of models, and the behaviour of each. */
export interface ScheduledPanel {
  readonly panel: Panel;
  /** Behaviours by model id. */
  readonly behaviours: ReadonlyMap<string, Behaviour>;
}

/** Ids of the built-in family: their price is known without a price list. */
const demoId = (seat: number | 'arbiter'): string => (seat === 'arbiter' ? 'demo-arbiter' : `demo-m${seat}`);

/** Gives every behaviour of a schedule a model id; twins share one. */
export function panelOf({ participants, arbiter }: Schedule, idOf: typeof demoId = demoId): ScheduledPanel {
  const behaviours = new Map<string, Behaviour>();
  const ids: string[] = [];
  for (const [index, { behaviour, twin }] of participants.entries()) {
    const before = ids.at(-1);
    const id = twin && before !== undefined ? before : idOf(index + 1);
    ids.push(id);
    if (id !== before) behaviours.set(id, behaviour);
  }
  const shared = typeof arbiter === 'number' ? ids[arbiter % ids.length] : undefined;
  if (typeof arbiter !== 'number') behaviours.set(idOf('arbiter'), arbiter);
  return { panel: seatPanel(modelOf(shared ?? idOf('arbiter')), ids.map(modelOf)), behaviours };
}

/** A schedule as a client asks for it; an endpoint takes the prompt in its own field. */
export function bodyOf(schedule: Schedule, { panel }: ScheduledPanel): object {
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
