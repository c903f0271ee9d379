import { priceCall } from '../../models/prices';
import type { Seat } from './panel';

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
