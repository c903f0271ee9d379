import type { DocumentSnapshot } from 'firebase-admin/firestore';
import { mergeLines, perCount, type RequestConsumption } from '../../usage/consumption';
import type { Consumption, UsageLine, UsageMonth, UsageStore } from '../../usage/usage-store';
import type { FirestoreClient } from './client';
import { mapKey, monthRef } from './documents';
import type { KnownRequest } from './memory';
import { type LineMap, type MonthPage, placeLines, type Share, storedLines } from './month-pages';
import type { Session, Writes } from './session';

/** The counts as they are stored in lines and months; a month's own `requests` are `nRequests`. */
const STORED_NAMES = { requests: 'n', promptTokens: 'ctx', completionTokens: 'gen', costNanoUsd: 'costNano' } as const;
const COUNTS = Object.keys(STORED_NAMES) as (keyof Consumption)[];

/**
 * Months, at `users/{uid}/usage/{YYYY-MM}`: sums, and lines by `mapKey` of their ids. Further lines are in overflow
 * documents `{YYYY-MM}~{n}`, whose numbers `over` lists. Read by their ids: one round trip, and a second one when there
 * are overflow documents.
 */
export function firestoreMonths(client: FirestoreClient): UsageStore {
  return {
    readMonths: (userId, months) =>
      client.run('readMonths', (session) => {
        const refOf = (month: string, page: number) => monthRef(session.db, { userId, month }, page);
        return session.readTogether(async (read) => {
          const bases = await read(months.map((month) => refOf(month, 0)));
          const overflow = await read(bases.flatMap((base) => overflowOf(base).map((page) => refOf(base.id, page))));
          const byId = new Map(overflow.map((page) => [page.id, page]));
          return bases.flatMap((base) => {
            const pages = overflowOf(base).flatMap((page) => byId.get(`${base.id}~${page}`) ?? []);
            return base.exists ? usageMonthOf(base, pages) : [];
          });
        });
      }),
  };
}

/**
 * Prepares what a settlement adds to its month: increments, which need no condition beside the close of the record.
 * Throws a RangeError when a sum would no longer be exact.
 */
export async function monthAddition(
  session: Session,
  { keyId, keyName, total, models, ...of }: KnownRequest & RequestConsumption,
  base: DocumentSnapshot,
): Promise<(writes: Writes) => void> {
  const shareOf = (map: LineMap, line: UsageLine) => ({ map, key: mapKey(line.id), line });
  const shares = [...models.map((line) => shareOf('m', line)), shareOf('k', { ...total, id: keyId, name: keyName })];
  const pages = await placeLines(session, of, { base, shares });
  const touched = pages.filter(({ number, taken }) => number === 0 || taken.length > 0);
  const listed = [0, ...overflowOf(base)];
  const unlisted = touched.map(({ number }) => number).filter((number) => !listed.includes(number));
  const { n: nRequests, ...sums } = increments(session, sumsOf(base), total);
  const over = unlisted.length > 0 && { over: session.FieldValue.arrayUnion(...unlisted) };
  const month = { nRequests, ...sums, v: 1, ...over };
  const additions = touched.map((page) => ({
    ref: page.ref,
    fields: { ...(page.number === 0 && month), ...linesOf(session, page) },
  }));
  return (writes) => {
    for (const { ref, fields } of additions) writes.set(ref, fields, { merge: true });
  };
}

/** The lines of this commit on a page, to be merged into its document. */
function linesOf(session: Session, page: MonthPage): Partial<Record<LineMap, Record<string, unknown>>> {
  const entryOf = (share: Share) => {
    const { id, name } = share.line;
    const texts = { id: id.toWellFormed(), name: name.toWellFormed() };
    return [share.key, { ...texts, ...increments(session, countsIn(page.stored(share)), share.line) }] as const;
  };
  const byMap = Object.entries(Object.groupBy(page.taken, ({ map }) => map));
  return Object.fromEntries(byMap.map(([map, shares]) => [map, Object.fromEntries(shares.map(entryOf))]));
}

function usageMonthOf(base: DocumentSnapshot, overflow: readonly DocumentSnapshot[]): UsageMonth {
  const lines = (map: LineMap): UsageLine[] => {
    const stored = [base, ...overflow].flatMap((page) => Object.values(storedLines(page, map)));
    // A line that two processes placed at the same moment may be in two documents.
    return mergeLines(stored.map((line) => ({ id: line['id'], name: line['name'], ...countsIn(line) })));
  };
  return { month: base.id, ...sumsOf(base), models: lines('m'), keys: lines('k') };
}

function overflowOf(base: DocumentSnapshot): readonly number[] {
  return base.get('over') ?? [];
}

function sumsOf(base: DocumentSnapshot): Consumption {
  return perCount((count) => base.get(count === 'requests' ? 'nRequests' : STORED_NAMES[count]) ?? 0);
}

function countsIn(line: Readonly<Record<string, number>> = {}): Consumption {
  return perCount((count) => line[STORED_NAMES[count]] ?? 0);
}

function increments({ FieldValue }: Session, before: Consumption, added: Consumption) {
  const fields = COUNTS.map((count) => {
    if (!Number.isSafeInteger(before[count] + added[count])) throw new RangeError(`a month's ${count} are too many`);
    return [STORED_NAMES[count], FieldValue.increment(added[count])] as const;
  });
  return Object.fromEntries(fields);
}
