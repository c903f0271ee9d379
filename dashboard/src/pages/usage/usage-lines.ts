import type { Schema } from '../../api/client';
import type { Sums } from './measure';
import type { Division } from './usage-view';

/** A month as the API reports it. */
export type Month = Schema<'Month'>;

/**
 * Why a cost is not the whole cost: no price was known, the model router bills its user itself, or whether there is a cost
 * is not known.
 */
export type CostGap = 'unpriced' | 'router' | 'unknown';

/** The consumption of a model or a key, in a month or in several. */
export interface UsageLine extends Sums {
  readonly id: string;
  readonly name: string;
  readonly gap: CostGap | undefined;
}

/** The lines of a month, by model or by key. */
export function linesOf(month: Month, by: Division): UsageLine[] {
  const lines = by === 'model' ? month.models : month.keys;
  return lines.map((line) => ({ ...line, gap: gapOf(line) }));
}

/** One line for each id in these months, the newest name of it, and the sums. */
export function addUpLines(months: readonly Month[], by: Division): UsageLine[] {
  const sums = new Map<string, UsageLine>();
  for (const line of months.flatMap((month) => linesOf(month, by))) {
    const { gap, ...before } = sums.get(line.id) ?? { ...NOTHING, gap: undefined };
    sums.set(line.id, { id: line.id, name: line.name, ...plus(before, line), gap: line.gap ?? gap });
  }
  return [...sums.values()];
}

/** The sums of some months. */
export function addUpMonths(months: readonly Month[]): Sums & { readonly gap: CostGap | undefined } {
  const sums = months.reduce<Sums>(plus, NOTHING);
  return { ...sums, gap: months.map(gapIn).find((gap) => gap !== undefined) };
}

/** Why the cost of a month is not the whole cost, where it is not; a price that is not known counts for more. */
export function gapIn({ models }: Month): CostGap | undefined {
  const gaps = models.map(gapOf);
  return gaps.includes('unpriced') ? 'unpriced' : gaps.find((gap) => gap !== undefined);
}

/** The sums of what was not used. */
export const NOTHING: Sums = { requests: 0, promptTokens: 0, completionTokens: 0, costUsd: 0 };

function plus(a: Sums, b: Sums): Sums {
  return {
    requests: a.requests + b.requests,
    promptTokens: a.promptTokens + b.promptTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    costUsd: a.costUsd + b.costUsd,
  };
}

function gapOf({ priced, billedBy, costKnown }: Month['keys'][number]): CostGap | undefined {
  if (priced === false) return 'unpriced';
  if (billedBy === 'router') return 'router';
  return costKnown === false ? 'unknown' : undefined;
}
