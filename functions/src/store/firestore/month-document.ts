import type { DocumentSnapshot, FieldValue } from 'firebase-admin/firestore';
import type { Consumption, LineConsumption } from '../../usage/consumption';
import { mergeLines } from '../../usage/monthly';
import type { UsageLine, UsageMonth } from '../store';

/** Sums as they are stored, in a month and in each of its lines (`n` is `nRequests` in the month itself). */
interface StoredSums {
  readonly ctx: number;
  readonly gen: number;
  readonly costNano: number;
}

/** One line: its id is the text the map key was made of. */
export interface StoredLine extends StoredSums {
  readonly id: string;
  readonly name: string;
  readonly n: number;
}

/** The map fields of lines: per model and per key. */
export type LineMap = 'm' | 'k';

/** Lines by `mapKey` of their id. */
export type StoredLines = Readonly<Record<string, StoredLine>>;

/**
 * `users/{uid}/usage/{YYYY-MM}`: the month's sums and its first lines. Further lines are in overflow documents
 * `{YYYY-MM}~{n}`, whose numbers `over` lists; those have lines only.
 */
interface MonthFields extends StoredSums {
  readonly nRequests: number;
  readonly m?: StoredLines;
  readonly k?: StoredLines;
  readonly over?: readonly number[];
}

/** Makes the SDK's increments. */
export type Increment = (by: number) => FieldValue;

/** The lines a month document holds in one of its maps. Decodes nothing else: a map may have a thousand entries. */
export function linesOf(snapshot: DocumentSnapshot | undefined, map: LineMap): StoredLines {
  return (snapshot?.get(map) ?? {}) as StoredLines;
}

/** The numbers of a month's overflow documents. */
export function overflowOf(snapshot: DocumentSnapshot): readonly number[] {
  return (snapshot.get('over') ?? []) as number[];
}

/** A month from its document and its overflow documents; undefined when there is none. Lines are sorted, costliest first. */
export function usageMonthOf(base: DocumentSnapshot, overflow: readonly DocumentSnapshot[]): UsageMonth | undefined {
  const fields = base.data() as MonthFields | undefined;
  if (!fields) return undefined;
  const { nRequests: requests, ctx: promptTokens, gen: completionTokens, costNano: costNanoUsd } = fields;
  // A line that two processes placed at the same moment may be in two documents.
  const lines = (map: LineMap): UsageLine[] =>
    mergeLines([base, ...overflow].flatMap((page) => Object.values(linesOf(page, map)).map(usageLineOf)));
  return {
    month: base.id,
    requests,
    promptTokens,
    completionTokens,
    costNanoUsd,
    models: lines('m'),
    keys: lines('k'),
  };
}

/** What a settlement adds to the month's own sums. Throws a RangeError when the sum would no longer be exact. */
export function monthAdditions(base: DocumentSnapshot, total: Consumption, increment: Increment) {
  const stored = (name: keyof MonthFields): number => base.get(name) ?? 0;
  const sums = { n: stored('nRequests'), ctx: stored('ctx'), gen: stored('gen'), costNano: stored('costNano') };
  assertExact(sums, total);
  return { nRequests: increment(total.requests), ...additions(total, increment), v: 1 };
}

/** What a settlement adds to one line. Throws a RangeError when a sum would no longer be exact. */
export function lineAdditions(stored: StoredLine | undefined, line: LineConsumption, increment: Increment) {
  assertExact(stored, line);
  const identity = { id: line.id.toWellFormed(), name: line.name.toWellFormed() };
  return { ...identity, n: increment(line.requests), ...additions(line, increment) };
}

function additions({ promptTokens, completionTokens, costNanoUsd }: Consumption, increment: Increment) {
  return { ctx: increment(promptTokens), gen: increment(completionTokens), costNano: increment(costNanoUsd) };
}

function assertExact(stored: (StoredSums & { readonly n: number }) | undefined, added: Consumption): void {
  if (!stored) return;
  const sums = [
    stored.n + added.requests,
    stored.ctx + added.promptTokens,
    stored.gen + added.completionTokens,
    stored.costNano + added.costNanoUsd,
  ];
  if (!sums.every(Number.isSafeInteger)) throw new RangeError(`a month's sum is too large: ${sums.join(', ')}`);
}

function usageLineOf({ id, name, n: requests, ctx, gen, costNano }: StoredLine): UsageLine {
  return { id, name, requests, promptTokens: ctx, completionTokens: gen, costNanoUsd: costNano };
}
