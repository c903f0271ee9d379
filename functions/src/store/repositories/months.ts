import {
  capLines,
  mergeLines,
  OTHER_ID,
  type OtherName,
  perCount,
  type RequestConsumption,
} from '../../ledger/consumption';
import { type LedgerRecord, originOf } from '../../ledger/ledger-store';
import type { Consumption, UsageLine, UsageMonth, UsageStore, UserMonth } from '../../ledger/usage-store';
import {
  change,
  type Documents,
  type Fields,
  Increment,
  merge,
  type Ref,
  type Snapshot,
  type Write,
} from '../documents';
import { at, mapKey } from './refs';

/** Names of the counts of a line and of a month. */
const LINE = { requests: 'n', promptTokens: 'ctx', completionTokens: 'gen', costNanoUsd: 'costNano' } as const;
const MONTH = { ...LINE, requests: 'nRequests' } as const;
type Names = Readonly<Record<keyof Consumption, string>>;
const COUNTS = Object.keys(LINE) as (keyof Consumption)[];

const OTHER_KEY = mapKey(OTHER_ID);

/** Lines that one commit may touch by increments: four each, of which Firestore allows 500 per document. */
const INCREMENTED_LINES_MAX = 100;

/** Lines by `mapKey` of their ids. */
type StoredLines = Readonly<Record<string, Fields>>;

/** A stored month: sums, and lines per model (`m`), per key (`k`) and per day (`d`). */
export interface StoredMonth {
  readonly nRequests: number;
  readonly ctx: number;
  readonly gen: number;
  readonly costNano: number;
  /** Its id once more, for the sum over all users. */
  readonly month: string;
  readonly m?: StoredLines;
  readonly k?: StoredLines;
  readonly d?: StoredLines;
}

/**
 * Months, at `users/{uid}/usage/{YYYY-MM}`: sums, and at most 201 lines per model and 201 per key. With ids and names as
 * long as can be these take 450 KB of the 1 MiB that Firestore allows.
 */
export function monthRepository(documents: Documents): UsageStore {
  return {
    readMonths: async (userId, months) => {
      const stored = await documents.get(
        'readMonths',
        months.map((month) => monthRef({ userId, month })),
      );
      return stored.flatMap((month) => usageMonthOf(month) ?? []);
    },
  };
}

export function monthRef({ userId, month }: UserMonth): Ref<StoredMonth> {
  return at('users', userId, 'usage', month);
}

/** The month of a document; undefined when there is none. */
export function usageMonthOf({ fields, id }: Snapshot<StoredMonth>): UsageMonth | undefined {
  if (!fields) return undefined;
  const linesOf = (lines: StoredLines = {}): UsageLine[] =>
    mergeLines(
      Object.values(lines).map((line) => {
        return { id: String(line['id']), name: String(line['name']), ...countsIn(LINE, line) };
      }),
    );
  const days = linesOf(fields.d).sort((a, b) => (a.id < b.id ? -1 : 1));
  return { month: id, ...countsIn(MONTH, fields), models: linesOf(fields.m), keys: linesOf(fields.k), days };
}

type Settled = Pick<LedgerRecord, 'keyId' | 'originId' | 'keyName' | 'startedAtMs'> & RequestConsumption;

/**
 * Adds a settled request to its month. Lines that are there already get increments, which need no condition beside the
 * close of the record. A new line is written on the condition that the month is still as it was read: of two processes
 * only one can add the last. Throws a RangeError when a sum would no longer be exact.
 */
export function monthAddition(
  month: Snapshot<StoredMonth>,
  { keyName, startedAtMs, total, models, ...key }: Settled,
): Write {
  const { m = {}, k = {}, d = {} } = month.fields ?? {};
  const day = new Date(startedAtMs).toISOString().slice(0, 'YYYY-MM-DD'.length);
  const modelLines = placed(models, m, { field: 'm', otherName: 'Other models' });
  const keyLine = { ...total, id: originOf(key), name: keyName };
  const keyLines = placed([keyLine], k, { field: 'k', otherName: 'Other keys' });
  const dayLines = placed([{ ...total, id: day, name: day }], d, { field: 'd', otherName: 'Other keys' });
  const lines = [...modelLines, ...keyLines, ...dayLines];
  const asRead = lines.length > INCREMENTED_LINES_MAX || lines.some(({ before }) => !before);
  const added = (names: Names, before: object | undefined, by: Consumption): [string, unknown][] => {
    const counts = countsIn(names, before);
    return COUNTS.map((count) => {
      const after = counts[count] + by[count];
      if (!Number.isSafeInteger(after)) throw new RangeError(`a month's ${count} are too many`);
      return [names[count], asRead ? after : new Increment(by[count])];
    });
  };
  const patch = Object.fromEntries([['month', month.id], ['v', 1], ...added(MONTH, month.fields, total)]);
  for (const { path, line, before } of lines) {
    const fields = [['id', line.id] as const, ['name', line.name] as const, ...added(LINE, before, line)];
    // Within a map that is set increments would start from 0.
    if (asRead) patch[path] = Object.fromEntries(fields);
    else for (const [name, value] of fields) patch[`${path}.${name}`] = value;
  }
  return asRead ? change(month, patch) : merge(month.ref, patch);
}

/** Lines on their way into a month, each with its place and what the month has of it. */
function placed(
  lines: readonly UsageLine[],
  stored: StoredLines,
  { field, otherName }: { readonly field: 'm' | 'k' | 'd'; readonly otherName: OtherName },
) {
  const has = (id: string): boolean => Object.hasOwn(stored, mapKey(id));
  const size = Object.keys(stored).length - (Object.hasOwn(stored, OTHER_KEY) ? 1 : 0);
  return capLines(lines, { has, size }, otherName).map((line) => {
    const key = mapKey(line.id);
    return { path: `${field}.${key}`, line, before: Object.hasOwn(stored, key) ? stored[key] : undefined };
  });
}

function countsIn(names: Names, fields: object = {}): Consumption {
  const stored = fields as Fields;
  return perCount((count) => Number(stored[names[count]] ?? 0));
}
