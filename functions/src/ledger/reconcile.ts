import type { Clock } from '../lib/clock';
import { FairSlots } from '../lib/fair-slots';
import type { Log } from '../lib/log';
import { addUp, capLines, consumptionOf, OTHER_ID, type OtherName, perCount } from './consumption';
import { type Audit, type AuditStore, type ClosedRecord, originOf } from './ledger-store';
import type { Consumption, UsageLine, UsageStore, UsageSums, UserMonth } from './usage-store';

const PAGE_SIZE = 500;
/** Months checked at a time: enough to hide round trips, few enough to leave the store to the requests. */
const CONCURRENCY = 4;
/** A record is in the store this long after the moment it says it was closed at, however slow or wrong a process's clock. */
const SETTLING_MS = 15 * 60 * 1000;

/** One line of a month that is not what the ledger says. Counts: ledger minus month, so positive is missing in the month. */
export interface MonthDifference extends UserMonth, Consumption {
  /** `month` for the month's own sums, else `model <id>` or `key <id>`. */
  readonly line: string;
}

interface Check {
  readonly of: UserMonth;
  /** Sums of the ledger kept at the last check. */
  readonly kept: Audit | undefined;
  /** The month as it is, read before its latest records. */
  readonly least: UsageSums;
  /** The ledger up to where it can no longer change, with what was kept. */
  settled: UsageSums;
  /** Sums of records closed after that. */
  recent: UsageSums;
}

const NOTHING = addUp([]);

/** Checks months used since the last time against their ledger, each record read once; returns how many. @internal */
export async function reconcileMonths(
  store: AuditStore & UsageStore,
  clock: Clock,
  report: (difference: MonthDifference) => void,
): Promise<number> {
  const untilMs = clock.nowMs() - SETTLING_MS;
  const slots = new FairSlots(CONCURRENCY);
  const checks = new Map<string, Check>();
  const failures = new Map<string, unknown>();
  const attempt = async (key: string, work: () => Promise<void>): Promise<void> => {
    if (!failures.has(key)) await slots.run(work).catch((error: unknown) => failures.set(key, error));
  };
  await eachPage(store, await store.readAuditedUntil(), (page) =>
    perMonth(page, (key, records) => attempt(key, () => addSettled(key, records))),
  );
  await eachPage(store, untilMs, (page) =>
    perMonth(page, (key, records) => attempt(key, () => addRecent(key, records))),
  );
  await Promise.all([...checks].map(([key, check]) => attempt(key, () => conclude(check))));
  if (failures.size > 0) {
    throw new AggregateError(failures.values(), `${failures.size} of ${checks.size} months could not be checked`);
  }
  await store.keepAuditedUntil(untilMs);
  return checks.size;

  async function addSettled(key: string, records: readonly ClosedRecord[]): Promise<void> {
    const check = checks.get(key) ?? (await begin(records[0] as ClosedRecord));
    checks.set(key, check);
    const fromMs = check.kept?.untilMs ?? 0;
    const unread = records.filter(({ settledAtMs }) => settledAtMs >= fromMs && settledAtMs < untilMs);
    check.settled = sumOf(check, check.settled, unread);
  }

  async function addRecent(key: string, records: readonly ClosedRecord[]): Promise<void> {
    const check = checks.get(key);
    // A month that was touched for the first time meanwhile is for the next check.
    if (check) check.recent = sumOf(check, check.recent, records);
  }

  async function begin({ userId, month }: UserMonth): Promise<Check> {
    const of = { userId, month };
    const kept = await store.readAudit(of);
    const least = addUp(await store.readMonths(userId, [month]));
    return { of, kept, least, settled: kept?.sums ?? NOTHING, recent: NOTHING };
  }

  async function conclude({ of, kept, least, settled, recent }: Check): Promise<void> {
    const ledger = addUp([settled, recent]);
    if (differencesOf(ledger, least, least).length > 0) {
      const most = addUp(await store.readMonths(of.userId, [of.month]));
      for (const difference of differencesOf(ledger, least, most)) report({ ...of, ...difference });
    }
    const isNew = settled !== (kept?.sums ?? NOTHING);
    if (isNew) await store.keepAudit({ ...of, untilMs, sums: settled });
  }
}

/** Checks recent months against their ledger; logs each difference and the count. Rejects, after logging, when it failed. */
export async function reconcileAndLog({
  store,
  clock,
  log,
}: {
  readonly store: AuditStore & UsageStore;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<void> {
  let differences = 0;
  try {
    const months = await reconcileMonths(store, clock, (difference) => {
      differences += 1;
      log.error('month differs from its ledger', difference);
    });
    log.info('reconciled', { months, differences });
  } catch (error) {
    log.error('reconcile failed', {}, error);
    throw error;
  }
}

async function eachPage(
  store: AuditStore,
  sinceMs: number,
  take: (page: readonly ClosedRecord[]) => Promise<unknown>,
): Promise<void> {
  for (let last: ClosedRecord | undefined; ; ) {
    const page = await store.listClosed(sinceMs, PAGE_SIZE, last);
    await take(page);
    last = page.at(-1);
    if (page.length < PAGE_SIZE) return;
  }
}

function perMonth(
  page: readonly ClosedRecord[],
  work: (key: string, records: readonly ClosedRecord[]) => Promise<void>,
): Promise<unknown> {
  const byMonth = Map.groupBy(page, ({ userId, month }) => `${month} ${userId}`);
  return Promise.all([...byMonth].map(([key, records]) => work(key, records)));
}

/** The sums with these records added, in as many lines as the month itself has. */
function sumOf({ least }: Check, before: UsageSums, records: readonly ClosedRecord[]): UsageSums {
  return records.length === 0 ? before : inLinesOf(least, addUp([before, ...records.map(recordSums)]));
}

/** Each line of the ledger that is not between the two readings of the month, and by how much. */
function differencesOf(ledger: UsageSums, least: UsageSums, most: UsageSums): Omit<MonthDifference, keyof UserMonth>[] {
  const [booked, before, after] = [linesOf(inLinesOf(most, ledger)), linesOf(least), linesOf(most)];
  // A line that only `most` has was begun meanwhile.
  const names = new Set([...before.keys(), ...booked.keys()]);
  return [...names].flatMap((line) => {
    const distance = perCount((count) => {
      const value = booked.get(line)?.[count] ?? 0;
      const missing = Math.max(0, value - (after.get(line)?.[count] ?? 0));
      return missing + Math.min(0, value - (before.get(line)?.[count] ?? 0));
    });
    return Object.values(distance).every((count) => count === 0) ? [] : [{ line, ...distance }];
  });
}

/** The same sums in the lines that a month tells apart, since only the month knows which ids came first. */
function inLinesOf({ models, keys }: UsageSums, sums: UsageSums): UsageSums {
  const cap = (lines: readonly UsageLine[], own: readonly UsageLine[], otherName: OtherName): UsageLine[] => {
    const listed = new Set(own.map(({ id }) => id));
    listed.delete(OTHER_ID);
    return capLines(lines, listed, otherName);
  };
  return { ...sums, models: cap(sums.models, models, 'Other models'), keys: cap(sums.keys, keys, 'Other keys') };
}

function linesOf(sums: UsageSums): ReadonlyMap<string, Consumption> {
  return new Map<string, Consumption>([
    ['month', sums],
    ...sums.models.map((line) => [`model ${line.id}`, line] as const),
    ...sums.keys.map((line) => [`key ${line.id}`, line] as const),
  ]);
}

function recordSums({ calls, keyName: name, ...key }: ClosedRecord): UsageSums {
  const { total, models } = consumptionOf(calls);
  return { ...total, models, keys: [{ ...total, id: originOf(key), name }] };
}
