import type { DocumentSnapshot } from '@google-cloud/firestore';
import { mergeLines, perCount, type RequestConsumption } from '../../ledger/consumption';
import { capLines, OTHER_ID, type OtherName } from '../../ledger/month-lines';
import type { Consumption, UsageLine, UsageMonth, UsageStore } from '../../ledger/usage-store';
import type { FirestoreClient } from './client';
import { mapKey, monthRef, replace } from './documents';
import type { KnownRequest } from './memory';
import type { Session, Writes } from './session';

/** The counts as they are stored in lines and months; a month's own `requests` are `nRequests`. */
const STORED_NAMES = { requests: 'n', promptTokens: 'ctx', completionTokens: 'gen', costNanoUsd: 'costNano' } as const;
const COUNTS = Object.keys(STORED_NAMES) as (keyof Consumption)[];

/** Lines that one commit may touch by increments: four each, of which Firestore allows 500 per document. */
const INCREMENTED_LINES_MAX = 100;

type StoredLine = Readonly<Record<string, number>>;
/** The lines of one map field, `m` per model or `k` per key, by `mapKey` of their ids. */
type StoredLines = Readonly<Record<string, StoredLine>>;

/**
 * Months, at `users/{uid}/usage/{YYYY-MM}`: sums, and at most 201 lines per model and 201 per key. With ids and names as
 * long as can be these take 450 KB of the 1 MiB that Firestore allows.
 */
export function firestoreMonths(client: FirestoreClient): UsageStore {
  return {
    readMonths: (userId, months) =>
      client.run('readMonths', async (session) => {
        const snapshots = await session.read(months.map((month) => monthRef(session.db, { userId, month })));
        return snapshots.filter(({ exists }) => exists).map(usageMonthOf);
      }),
  };
}

/**
 * Prepares what a settlement adds to its month. Lines that are there already get increments, which need no condition
 * beside the close of the record. A new line is written on the condition that the month is still as it was read: of two
 * processes only one can add the last. Throws a RangeError when a sum would no longer be exact.
 */
export function monthAddition(
  session: Session,
  { keyId, keyName, total, models }: KnownRequest & RequestConsumption,
  month: DocumentSnapshot,
): (writes: Writes) => void {
  const [m, k] = [storedLines(month, 'm'), storedLines(month, 'k')];
  const modelLines = placed(models, m, 'Other models');
  const keyLines = placed([{ ...total, id: keyId, name: keyName }], k, 'Other keys');
  const lines = [...modelLines, ...keyLines];
  const asRead = lines.length > INCREMENTED_LINES_MAX || lines.some(({ before }) => !before);
  const countsOf = (before: Consumption, added: Consumption): Record<string, unknown> =>
    Object.fromEntries(
      COUNTS.map((count) => {
        const after = before[count] + added[count];
        if (!Number.isSafeInteger(after)) throw new RangeError(`a month's ${count} are too many`);
        return [STORED_NAMES[count], asRead ? after : session.FieldValue.increment(added[count])];
      }),
    );
  const fieldsOf = (placedLines: readonly PlacedLine[]): Record<string, unknown> =>
    Object.fromEntries(
      placedLines.map(({ key, line, before }) => {
        const texts = { id: line.id.toWellFormed(), name: line.name.toWellFormed() };
        return [key, { ...texts, ...countsOf(countsIn(before), line) }];
      }),
    );
  const { n: nRequests, ...sums } = countsOf(sumsOf(month), total);
  // Its id once more, for the sum over all users.
  const fields = { nRequests, ...sums, month: month.id, v: 1 };
  const [addedM, addedK] = [fieldsOf(modelLines), fieldsOf(keyLines)];
  return (writes) => {
    if (asRead) replace(writes, month, { ...fields, m: { ...m, ...addedM }, k: { ...k, ...addedK } });
    // An empty map would replace the stored one.
    else writes.set(month.ref, { ...fields, ...(modelLines.length > 0 && { m: addedM }), k: addedK }, { merge: true });
  };
}

/** A line on its way into a month, with what the month has of it. */
interface PlacedLine {
  readonly key: string;
  readonly line: UsageLine;
  readonly before: StoredLine | undefined;
}

function placed(lines: readonly UsageLine[], stored: StoredLines, otherName: OtherName): PlacedLine[] {
  const has = (id: string): boolean => Object.hasOwn(stored, mapKey(id));
  const size = Object.keys(stored).length - (has(OTHER_ID) ? 1 : 0);
  return capLines(lines, { has, size }, otherName).map((line) => {
    const key = mapKey(line.id);
    return { key, line, before: Object.hasOwn(stored, key) ? stored[key] : undefined };
  });
}

/** The month of a document that exists. */
export function usageMonthOf(month: DocumentSnapshot): UsageMonth {
  const lines = (map: 'm' | 'k'): UsageLine[] =>
    mergeLines(
      Object.values(storedLines(month, map)).map((line) => {
        const { id, name } = line as unknown as Pick<UsageLine, 'id' | 'name'>;
        return { id, name, ...countsIn(line) };
      }),
    );
  return { month: month.id, ...sumsOf(month), models: lines('m'), keys: lines('k') };
}

/** Decodes nothing else of the month. */
function storedLines(month: DocumentSnapshot, map: 'm' | 'k'): StoredLines {
  return month.get(map) ?? {};
}

function sumsOf(month: DocumentSnapshot): Consumption {
  return perCount((count) => month.get(count === 'requests' ? 'nRequests' : STORED_NAMES[count]) ?? 0);
}

function countsIn(line: StoredLine = {}): Consumption {
  return perCount((count) => line[STORED_NAMES[count]] ?? 0);
}
