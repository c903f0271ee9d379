import { decideLease, type LeaseTerms, leasedTokens } from '../../byok/grant';
import type { GrantLease, GrantStore, GrantWord } from '../byok-store';
import type { FirestoreClient } from './client';
import { grantBookOf, leaseFields } from './grant-document';
import { grantRef } from './refs';
import { Serial } from './serial';
import type { Session } from './session';

const BUDGET_MS = 5_000;

/**
 * Monthly grants. A lease is one commit, which fails unless the grant is still as it was read; its own request id makes
 * a repeated one the same lease. Those of one user are decided one after another, as they would only collide.
 */
export function firestoreGrants(client: FirestoreClient): GrantStore {
  const queue = new Serial();

  return {
    leaseGrant: (lease, maxTokens, nowMs) =>
      client.run({ name: 'leaseGrant', budgetMs: BUDGET_MS }, (session) =>
        queue.run(lease.userId, () => session.untilDecided(() => attempt(session, lease, { maxTokens, nowMs }))),
      ),

    readGrant: (of, nowMs) =>
      client.run({ name: 'readGrant', budgetMs: BUDGET_MS }, async (session) => {
        const book = await read(session, of);
        return { usedTokens: book.usedTokens, leasedTokens: leasedTokens(book, nowMs) };
      }),
  };
}

async function attempt(session: Session, lease: GrantLease, terms: LeaseTerms): Promise<GrantWord> {
  const { usedTokens, leases: open, updateTime, ref } = await read(session, lease);
  const { word, leases } = decideLease({ usedTokens, leases: open }, lease, terms);
  if (!leases) return word;
  const fields = leaseFields(lease.month, leases);
  await session.commit((writes) => {
    if (updateTime) writes.update(ref, fields, { lastUpdateTime: updateTime });
    else writes.create(ref, fields);
  });
  return word;
}

async function read(session: Session, of: { readonly userId: string; readonly month: string }) {
  const ref = grantRef(session.db, of);
  const [snapshot] = await session.read([ref]);
  if (!snapshot) throw new Error('Firestore left a document out of its answer');
  return { ...grantBookOf(snapshot), updateTime: snapshot.updateTime, ref };
}
