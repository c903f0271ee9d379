/*
 * Who takes part: seats with their labels, and contributors with their last texts. Imports models and blind labels; must
 * not call a model.
 */
import type { ModelRow } from '../../models/catalog';

/** The most participants one request may seat. */
export const PARTICIPANTS_MAX = 16;

/** One place in a panel. The same model may hold several. */
export interface Seat {
  /** `p1`, `p2`, … for participants in request order; `arbiter`. */
  readonly id: string;
  readonly model: ModelRow;
  /** For people: the model's name, numbered where the model holds several seats. */
  readonly label: string;
}

/** The participants of a request and its arbiter. */
export interface Panel {
  readonly participants: readonly Seat[];
  readonly arbiter: Seat;
}

/** Seats the models of a request; without participants the arbiter is the only one. */
export function seatPanel(arbiter: ModelRow, chosen: readonly ModelRow[]): Panel {
  const rows = chosen.length > 0 ? chosen : [arbiter];
  const participants = rows.map((model, index) => {
    const isSame = ({ id }: ModelRow): boolean => id === model.id;
    const repeated = rows.filter(isSame).length > 1;
    const nth = rows.slice(0, index + 1).filter(isSame).length;
    return { id: `p${index + 1}`, model, label: repeated ? `${model.name} (${nth})` : model.name };
  });
  return { participants, arbiter: { id: 'arbiter', model: arbiter, label: arbiter.name } };
}

/** The odd participants and the even ones, as two teams; one alone is in both. */
export function twoTeams({ participants }: Panel): { readonly odd: readonly Seat[]; readonly even: readonly Seat[] } {
  if (participants.length === 1) return { odd: participants, even: participants };
  return {
    odd: participants.filter((_, index) => index % 2 === 0),
    even: participants.filter((_, index) => index % 2 === 1),
  };
}
