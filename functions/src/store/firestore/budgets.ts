import type { QuerySnapshot } from '@google-cloud/firestore';
import { type BudgetStore, monthsToTally, type Spend } from '../../access/budget';
import type { AdmissionRequest } from '../../access/rate-limit';
import type { UserMonth } from '../../ledger/usage-store';
import { recordAct } from './acts';
import type { FirestoreClient } from './client';
import { monthRef, serverBudgetRef, subscriptionRef, unchanged } from './documents';
import { usageMonthOf } from './months';
import type { Session } from './session';

/**
 * Budgets: a user's is a field of the subscription, which every request reads anyway; the deployment's a document. What
 * was spent is nowhere counted again: a user's is its month and its open records, the deployment's the sums of these over
 * all users, which Firestore makes from an index (one read for each thousand).
 */
export function firestoreBudgets(client: FirestoreClient): BudgetStore {
  return {
    setUserBudget: (userId, budgetNanoUsd, act) =>
      client.decide('setUserBudget', async (session) => {
        const [stored] = await session.read([subscriptionRef(session.db, userId)]);
        if (!stored.exists) return false;
        const budget = budgetNanoUsd ?? session.FieldValue.delete();
        await session.commit((writes) => {
          writes.update(stored.ref, { budgetNanoUsd: budget }, unchanged(stored));
          recordAct(session, writes, act);
        });
        return true;
      }),

    setServerBudget: (budgetNanoUsd, act) =>
      client.decide('setServerBudget', (session) => {
        const ref = serverBudgetRef(session.db);
        return session.commit((writes) => {
          recordAct(session, writes, act);
          if (budgetNanoUsd === null) writes.delete(ref);
          else writes.set(ref, { budgetNano: budgetNanoUsd });
        });
      }),

    readSpend: (of) => client.run('readSpend', (session) => readSpend(session, of)),

    readServerSpend: (month) =>
      client.run('readServerSpend', async (session) => {
        const [budget] = await session.read([serverBudgetRef(session.db)]);
        const budgetNanoUsd = budget.get('budgetNano');
        if (budgetNanoUsd === undefined) return undefined;
        const months = session.db.collectionGroup('usage').where('month', '==', month);
        const open = session.db.collection('usageLedger').where('month', '==', month).where('estimateNano', '>', 0);
        const [booked, setAside] = await Promise.all([
          session.sum(months, 'costNano'),
          session.sum(open, 'estimateNano'),
        ]);
        return { budgetNanoUsd, spentNanoUsd: booked + setAside };
      }),
  };
}

/** What the user of `requests` has spent of each month that one of them has a budget in. No call where none has. */
export async function readSpends(
  session: Session,
  requests: readonly AdmissionRequest[],
): Promise<ReadonlyMap<string, Spend>> {
  const userId = requests[0]?.userId ?? '';
  const months = monthsToTally(requests);
  return new Map(
    await Promise.all(months.map(async (month) => [month, await readSpend(session, { userId, month })] as const)),
  );
}

/** Month and open records as of one moment: a settlement moves a request from these into that. */
async function readSpend(session: Session, of: UserMonth): Promise<Spend> {
  const { db } = session;
  const openRecords = db.collection('usageLedger').where('uid', '==', of.userId).where('estimateNano', '>', 0);
  const [[month], open] = await session.readTogether((reads) =>
    Promise.all([reads.getAll(monthRef(db, of)), reads.get(openRecords.select('month', 'keyId', 'estimateNano'))]),
  );
  const { costNanoUsd, keys } = month?.exists ? usageMonthOf(month) : { costNanoUsd: 0, keys: [] };
  const keysNanoUsd = new Map(keys.map((line) => [line.id, line.costNanoUsd]));
  let userNanoUsd = costNanoUsd;
  for (const { keyId, nanoUsd } of setAside(open, of.month)) {
    userNanoUsd += nanoUsd;
    keysNanoUsd.set(keyId, (keysNanoUsd.get(keyId) ?? 0) + nanoUsd);
  }
  return { userNanoUsd, keysNanoUsd };
}

function setAside({ docs }: QuerySnapshot, month: string): { keyId: string; nanoUsd: number }[] {
  const ofMonth = docs.filter((record) => record.get('month') === month);
  return ofMonth.map((record) => ({ keyId: record.get('keyId'), nanoUsd: record.get('estimateNano') }));
}
