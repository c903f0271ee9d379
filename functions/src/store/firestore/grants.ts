import type { DocumentSnapshot } from '@google-cloud/firestore';
import type { GrantStore } from '../../byok/byok-store';
import { decideLease, type Grant, grantState, type OpenLease } from '../../byok/grant';
import { LEDGER_RETENTION_MS } from '../../ledger/ledger-store';
import type { UserMonth } from '../../ledger/usage-store';
import type { FirestoreClient } from './client';
import { grantRef, mapKey, replace } from './documents';
import { Serial } from './serial';
import type { Session, Writes } from './session';

interface StoredLease {
  readonly id: string;
  readonly est: number;
  readonly leaseUntil: { toMillis(): number };
}

/**
 * Monthly grants, at `users/{uid}/byok/grant-{YYYY-MM}`: what of the month's tokens is used (`used`), and the leases by
 * hashed request id (`open`). A lease is one commit, which fails unless the grant is still as it was read; its own
 * request id makes a repeated one the same lease. Those of one user are decided one after another: at once they collide
 * so often that of fifty a few run out of tries.
 */
export function firestoreGrants(client: FirestoreClient): GrantStore {
  const queue = new Serial();

  return {
    leaseGrant: (lease, maxTokens, nowMs) =>
      client.run('leaseGrant', (session) =>
        queue.run(lease.userId, () =>
          session.untilDecided(async () => {
            const [stored] = await session.read([grantRef(session.db, lease)]);
            const { decision, leases } = decideLease(grantOf(stored), lease, { maxTokens, nowMs });
            if (!leases) return decision;
            const fields = { open: storedLeases(leases), expireAt: expiryOf(lease.month) };
            await session.commit((writes) => replace(writes, stored, fields));
            return decision;
          }),
        ),
      ),

    readGrant: (of, nowMs) =>
      client.run('readGrant', async (session) => {
        const [stored] = await session.read([grantRef(session.db, of)]);
        return grantState(grantOf(stored), nowMs);
      }),
  };
}

/** Adds what a settled request used and ends its lease; goes into the commit that closes its record. */
export function addToGrant(
  { db, FieldValue }: Session,
  writes: Writes,
  { userId, month, requestId, platformTokens }: UserMonth & { requestId: string; platformTokens: number },
): void {
  const open = { [mapKey(requestId)]: FieldValue.delete() };
  const fields = { used: FieldValue.increment(platformTokens), open, expireAt: expiryOf(month) };
  writes.set(grantRef(db, { userId, month }), fields, { merge: true });
}

/** Nothing used and nothing leased when there is no document. */
function grantOf(snapshot: DocumentSnapshot): Grant {
  const { used = 0, open = {} } = (snapshot.data() ?? {}) as { used?: number; open?: Record<string, StoredLease> };
  const leases = Object.values(open).map(
    ({ id, est, leaseUntil }) => [id, { tokens: est, untilMs: leaseUntil.toMillis() }] as const,
  );
  return { usedTokens: used, leases: new Map(leases) };
}

function storedLeases(leases: ReadonlyMap<string, OpenLease>) {
  const stored = [...leases].map(
    ([id, { tokens, untilMs }]) => [mapKey(id), { id, est: tokens, leaseUntil: new Date(untilMs) }] as const,
  );
  return Object.fromEntries(stored);
}

/** A grant is kept as long as the ledger records it was used up by. */
function expiryOf(month: string): Date {
  return new Date(Date.parse(`${month}-01`) + LEDGER_RETENTION_MS);
}
