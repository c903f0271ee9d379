import type { ModelRow } from '../../models/catalog';
import type { ReasoningEffort, Sampling } from '../../models/model';
import { priceCall } from '../../models/prices';

/** The most participants one request may seat. */
export const PARTICIPANTS_MAX = 16;

/** Settings of one participant by its caller. It holds in that participant's own calls. */
export interface SeatSettings {
  /** For what it writes; its judgements are at default sampling. */
  readonly sampling?: Sampling;
  readonly reasoningEffort?: ReasoningEffort;
  /** Instructions for it alone, after those that it shares. */
  readonly systemPrompt?: string;
  /** Name shown to people instead of the model's. */
  readonly givenLabel?: string;
}

/** One place in a panel. The same model may hold several. */
export interface Seat extends SeatSettings {
  /** `p1`, `p2`, … for participants in request order; `arbiter`. */
  readonly id: string;
  readonly model: ModelRow;
  /** For people: as given, else the model's name; numbered where several seats have the same. */
  readonly label: string;
  /** True if it searches the web for its first text, or where it answers alone. */
  readonly webSearch?: true;
}

/** The participants of a request and its arbiter. */
export interface Panel {
  readonly participants: readonly Seat[];
  readonly arbiter: Seat;
}

/** Seats the models of a request, each with its settings by place; without participants the arbiter is the only one. */
export function seatPanel(
  arbiter: ModelRow,
  chosen: readonly ModelRow[],
  settings: readonly SeatSettings[] = [],
): Panel {
  const rows = chosen.length > 0 ? chosen : [arbiter];
  const keys = rows.map((model, index) => settings[index]?.givenLabel ?? model.id);
  const participants = rows.map((model, index) => {
    const { givenLabel: name = model.name } = settings[index] ?? {};
    const isSame = (key: string): boolean => key === keys[index];
    const nth = keys.slice(0, index + 1).filter(isSame).length;
    const label = keys.filter(isSame).length > 1 ? `${name} (${nth})` : name;
    return { ...settings[index], id: `p${index + 1}`, model, label };
  });
  return { participants, arbiter: { id: 'arbiter', model: arbiter, label: arbiter.name } };
}

/** True if a seat's calls differ from those of its model without settings. */
export function hasSettings({ sampling, reasoningEffort, systemPrompt }: SeatSettings): boolean {
  return [sampling, reasoningEffort, systemPrompt].some((setting) => setting !== undefined);
}

/** The odd participants and the even ones, as two teams; one alone is in both. */
export function twoTeams({ participants }: Panel): { readonly odd: readonly Seat[]; readonly even: readonly Seat[] } {
  if (participants.length === 1) return { odd: participants, even: participants };
  return {
    odd: participants.filter((_, index) => index % 2 === 0),
    even: participants.filter((_, index) => index % 2 === 1),
  };
}

/** A short question and a short reply: what is compared is what both together cost. */
const SMALL_CALL = { promptTokens: 1_000, completionTokens: 100 };

/** Seats by what a small call to their models costs at `atMs`; equal ones in the order given, unpriced ones last. */
export function cheapestFirst(seats: readonly Seat[], atMs: number): Seat[] {
  const costs = new Map(seats.map((seat) => [seat, costOf(seat, atMs)]));
  return seats.toSorted((a, b) => compare(costs.get(a) ?? Infinity, costs.get(b) ?? Infinity));
}

function costOf({ model }: Seat, atMs: number): number {
  const { costNanoUsd, priced } = priceCall(model, SMALL_CALL, atMs);
  return priced ? costNanoUsd : Infinity;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
