import type { ModelRow } from '../models/catalog';

/** The most participants one request may seat. */
export const PARTICIPANTS_MAX = 16;

/** One seat: a model in a part. The same model may hold several seats. */
export interface Seat {
  /** `p1`, `p2`, … for participants in request order; `arbiter`. */
  readonly id: string;
  readonly model: ModelRow;
  /** For people: the model's name, numbered where the model holds several seats. */
  readonly label: string;
}

/** Who takes part in a run. */
export interface Panel {
  readonly participants: readonly Seat[];
  readonly arbiter: Seat;
}

/** Finds the row of a model id; it knows more than the catalog where a user has added models. */
export type ModelLookup = (id: string) => ModelRow;

/** Seats the models of a request; without participants the arbiter is the only one (spec `ai_ensemble.models`). */
export function seatPanel(arbiter: ModelRow, chosen: readonly ModelRow[]): Panel {
  const rows = chosen.length > 0 ? chosen : [arbiter];
  const seen = new Map<string, number>();
  const participants = rows.map((model, index) => {
    const nth = (seen.get(model.id) ?? 0) + 1;
    seen.set(model.id, nth);
    const repeated = rows.filter((other) => other.id === model.id).length > 1;
    return { id: `p${index + 1}`, model, label: repeated ? `${model.name} (${nth})` : model.name };
  });
  return { participants, arbiter: { id: 'arbiter', model: arbiter, label: arbiter.name } };
}
