import type { Firestore } from '@google-cloud/firestore';
import type { CallRow } from '../../src/ledger/call-row';
import type { LedgerRecord } from '../../src/ledger/ledger-store';
import type { UsageMonth } from '../../src/ledger/usage-store';
import type { Store } from '../../src/store/store';

/** Sums as they must be found in a month, added up here anew. */
interface Sums {
  requests: number;
  promptTokens: number;
  completionTokens: number;
  costNanoUsd: number;
}

/** Records read at a time: a machine that is busy must not run into the store's own deadline. */
const READ_AT_A_TIME = 50;

/** All records of the ledger. */
export async function allRecords(raw: Firestore, store: Store): Promise<LedgerRecord[]> {
  const refs = await raw.collection('usageLedger').listDocuments();
  const records: LedgerRecord[] = [];
  for (let at = 0; at < refs.length; at += READ_AT_A_TIME) {
    const some = refs.slice(at, at + READ_AT_A_TIME).map(({ id }) => store.findRecord(id));
    records.push(...(await Promise.all(some)).filter((record) => record !== undefined));
  }
  return records;
}

/** Expects the month of one user to be the sum of these closed records: to the token and the nano-dollar, line by line. */
export async function expectMonthToMatch(
  store: Store,
  records: readonly LedgerRecord[],
  { userId, month }: { userId: string; month: string },
): Promise<void> {
  const [stored] = await store.readMonths(userId, [month]);
  const own = records.filter((record) => record.userId === userId);
  expect(stored && sumsOf(stored)).toEqual(sum(own.length, own.flatMap(callsOf)));
  const models = new Map((stored?.models ?? []).map((line) => [line.id, sumsOf(line)]));
  expect(models).toEqual(modelSums(own));
  const keys = new Map((stored?.keys ?? []).map((line) => [line.id, sumsOf(line)]));
  expect(keys).toEqual(keySums(own));
}

function modelSums(records: readonly LedgerRecord[]): Map<string, Sums> {
  const calls = Map.groupBy(records.flatMap(callsOf).filter(consumedSomething), (call) => call.modelId);
  return new Map([...calls].map(([id, rows]) => [id, sum(rows.length, rows)]));
}

function keySums(records: readonly LedgerRecord[]): Map<string, Sums> {
  const byKey = Map.groupBy(records, (record) => record.keyId);
  return new Map([...byKey].map(([id, own]) => [id, sum(own.length, own.flatMap(callsOf))]));
}

function callsOf({ calls }: LedgerRecord): readonly CallRow[] {
  return calls;
}

function consumedSomething({ promptTokens, completionTokens, costNanoUsd }: CallRow): boolean {
  return promptTokens + completionTokens + costNanoUsd > 0;
}

function sum(requests: number, calls: readonly CallRow[]): Sums {
  const total = { requests, promptTokens: 0, completionTokens: 0, costNanoUsd: 0 };
  for (const call of calls) {
    total.promptTokens += call.promptTokens;
    total.completionTokens += call.completionTokens;
    total.costNanoUsd += call.costNanoUsd;
  }
  return total;
}

function sumsOf({ requests, promptTokens, completionTokens, costNanoUsd }: Sums | UsageMonth): Sums {
  return { requests, promptTokens, completionTokens, costNanoUsd };
}
