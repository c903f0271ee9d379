import type { Clock } from '../lib/clock';
import { FairSlots } from '../lib/fair-slots';
import { addUp, consumptionOf, perCount, type UsageSums } from './consumption';
import type { AuditStore, LedgerRecord } from './ledger-store';
import type { Consumption, UsageStore, UserMonth } from './usage-store';

const WINDOW_MS = 2 * 24 * 60 * 60 * 1000;
const PAGE_SIZE = 200;
/** Months checked at a time: enough to hide round trips, few enough to leave the store to the requests. */
const CONCURRENCY = 4;

/** One line of a month that is not what the ledger says. Counts: ledger minus month, so positive is missing in the month. */
export interface MonthDifference extends UserMonth, Consumption {
  /** `month` for the month's own sums, else `model <id>` or `key <id>`. */
  readonly line: string;
}

/**
 * Adds up again, from the ledger, every month touched in the last two days, and reports each line that differs. Safe
 * beside running requests: a month is read before and after its ledger, and since a settlement adds to both at once,
 * the ledger must lie between the two. Returns how many months were checked. A month that cannot be checked does not
 * hold up the others: after them, throws an AggregateError of the causes.
 */
export async function reconcileMonths(
  store: AuditStore & UsageStore,
  clock: Clock,
  report: (difference: MonthDifference) => void,
): Promise<number> {
  const months = await store.listTouchedMonths(clock.nowMs() - WINDOW_MS);
  const slots = new FairSlots(CONCURRENCY);
  const check = async (month: UserMonth) => (await differencesOf(store, month)).forEach(report);
  const checks = await Promise.allSettled(months.map((month) => slots.run(() => check(month))));
  const failures = checks.flatMap((ended) => (ended.status === 'rejected' ? [ended.reason] : []));
  if (failures.length === 0) return months.length;
  throw new AggregateError(failures, `${failures.length} of ${months.length} months could not be checked`);
}

async function differencesOf(store: AuditStore & UsageStore, of: UserMonth): Promise<MonthDifference[]> {
  const read = async () => linesOf(addUp(await store.readMonths(of.userId, [of.month])));
  const least = await read();
  const ledger = linesOf(await ledgerSums(store, of));
  const most = await read();
  // A line that only `most` has was begun meanwhile.
  const names = new Set([...least.keys(), ...ledger.keys()]);
  return [...names].flatMap((line) => {
    const distance = perCount((count) => {
      const value = ledger.get(line)?.[count] ?? 0;
      const missing = Math.max(0, value - (most.get(line)?.[count] ?? 0));
      return missing + Math.min(0, value - (least.get(line)?.[count] ?? 0));
    });
    return Object.values(distance).every((count) => count === 0) ? [] : [{ ...of, line, ...distance }];
  });
}

function linesOf(sums: UsageSums): ReadonlyMap<string, Consumption> {
  return new Map<string, Consumption>([
    ['month', sums],
    ...sums.models.map((line) => [`model ${line.id}`, line] as const),
    ...sums.keys.map((line) => [`key ${line.id}`, line] as const),
  ]);
}

async function ledgerSums(store: AuditStore, of: UserMonth): Promise<UsageSums> {
  let sums = addUp([]);
  for (let afterRequestId = ''; ; ) {
    const page = await store.listRecords(of, { afterRequestId, max: PAGE_SIZE });
    sums = addUp([sums, ...page.filter(({ state }) => state !== 'open').map(recordSums)]);
    const last = page.at(-1);
    if (!last || page.length < PAGE_SIZE) return sums;
    afterRequestId = last.requestId;
  }
}

function recordSums({ calls, keyId: id, keyName: name }: LedgerRecord): UsageSums {
  const { total, models } = consumptionOf(calls);
  return { ...total, models, keys: [{ ...total, id, name }] };
}
