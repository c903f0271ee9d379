import type { Clock } from '../lib/clock';
import type { AuditStore, LedgerRecord, UsageMonth, UsageStore, UserMonth } from '../store/store';
import { type Consumption, consumptionOf } from './consumption';

const WINDOW_MS = 2 * 24 * 60 * 60 * 1000;
const PAGE_SIZE = 200;
/** Months checked at a time: enough to hide round trips, few enough to leave the store to the requests. */
const CONCURRENCY = 4;

/** One line of a month that is not what the ledger says. Counts: ledger minus month, so positive is missing in the month. */
export interface MonthDifference extends UserMonth, Consumption {
  /** `month` for the month's own sums, else `model <id>` or `key <id>`. */
  readonly line: string;
}

type Stores = AuditStore & UsageStore;
type Lines = ReadonlyMap<string, Consumption>;

/**
 * Adds up again, from the ledger, every month touched in the last two days, and reports each line that differs. Safe
 * beside running requests: a month is read before and after its ledger, and since a settlement adds to both at once,
 * the ledger must lie between the two. Nothing is changed. Returns how many months were checked; a month that cannot
 * be checked does not hold up the others: after them, throws an AggregateError of the causes.
 */
export async function reconcileMonths(
  store: Stores,
  clock: Clock,
  report: (difference: MonthDifference) => void,
): Promise<number> {
  const months = await store.listTouchedMonths(clock.nowMs() - WINDOW_MS);
  const failures: unknown[] = [];
  const queue = months.values();
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  if (failures.length === 0) return months.length;
  throw new AggregateError(failures, `${failures.length} of ${months.length} months could not be checked`);

  async function work(): Promise<void> {
    for (const of of queue) {
      try {
        for (const difference of await differencesOf(store, of)) report(difference);
      } catch (error) {
        failures.push(error);
      }
    }
  }
}

async function differencesOf(store: Stores, of: UserMonth): Promise<MonthDifference[]> {
  const least = await linesOfMonth(store, of);
  const ledger = await linesOfLedger(store, of);
  const most = await linesOfMonth(store, of);
  // A line that only `most` has was begun meanwhile.
  const names = new Set([...least.keys(), ...ledger.keys()]);
  return [...names].flatMap((line) => {
    const one = (lines: Lines): Consumption => lines.get(line) ?? NOTHING;
    const distance = distanceOf(one(ledger), one(least), one(most));
    return Object.values(distance).every((count) => count === 0) ? [] : [{ ...of, line, ...distance }];
  });
}

async function linesOfMonth(store: UsageStore, { userId, month }: UserMonth): Promise<Lines> {
  const [stored] = await store.readMonths(userId, [month]);
  return stored ? linesOf(stored) : new Map();
}

function linesOf(month: UsageMonth): Lines {
  return new Map<string, Consumption>([
    ['month', month],
    ...month.models.map((line) => [`model ${line.id}`, line] as const),
    ...month.keys.map((line) => [`key ${line.id}`, line] as const),
  ]);
}

async function linesOfLedger(store: AuditStore, of: UserMonth): Promise<Lines> {
  const lines = new Map<string, Consumption>();
  for (let afterRequestId = ''; ; ) {
    const page = await store.listRecords(of, { afterRequestId, max: PAGE_SIZE });
    for (const record of page) if (record.state !== 'open') addRecord(lines, record);
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return lines;
    afterRequestId = last.requestId;
  }
}

function addRecord(lines: Map<string, Consumption>, { calls, keyId }: LedgerRecord): void {
  const { total, models } = consumptionOf(calls);
  const parts: [string, Consumption][] = [
    ['month', total],
    [`key ${keyId}`, total],
    ...models.map((model): [string, Consumption] => [`model ${model.id}`, model]),
  ];
  for (const [line, part] of parts) lines.set(line, plus(lines.get(line) ?? NOTHING, part));
}

const NOTHING: Consumption = { requests: 0, promptTokens: 0, completionTokens: 0, costNanoUsd: 0 };

function plus(a: Consumption, b: Consumption): Consumption {
  return perCount((count) => a[count] + b[count]);
}

/** How far each count is outside of what it was to lie between. */
function distanceOf(value: Consumption, least: Consumption, most: Consumption): Consumption {
  return perCount((count) => Math.min(0, value[count] - least[count]) + Math.max(0, value[count] - most[count]));
}

function perCount(of: (count: keyof Consumption) => number): Consumption {
  return {
    requests: of('requests'),
    promptTokens: of('promptTokens'),
    completionTokens: of('completionTokens'),
    costNanoUsd: of('costNanoUsd'),
  };
}
