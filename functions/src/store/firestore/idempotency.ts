import type { DocumentReference, DocumentSnapshot } from '@google-cloud/firestore';
import type { Claim, Claimed, IdempotencyStore } from '../../ledger/idempotency-store';
import { CLOCKS_DIFFER_MS } from '../../lib/clock';
import type { FirestoreClient } from './client';
import { idempotencyRef, replace, replyPartRef, unchanged } from './documents';
import type { Session } from './session';

/** A document holds at most 1 MiB. */
const PART_BYTES_MAX = 900_000;
/** Time for a reply of several parts. */
const KEEP_BUDGET_MS = 10_000;

interface StoredClaim {
  readonly fingerprint: string;
  readonly requestId: string;
  readonly leaseUntil: { toMillis(): number };
  readonly expireAt: { toMillis(): number };
  /** How many documents hold the reply; absent while there is none. */
  readonly parts?: number;
}

/**
 * Requests with an idempotency key, at `idempotency/{id}`. The reply is cut into documents beside it, named after the
 * request that made it, and counts once the claim says how many there are: parts of a claim that was lost are never read.
 */
export function firestoreIdempotency(client: FirestoreClient): IdempotencyStore {
  return {
    claimKey: (claim, nowMs) =>
      client.run('claimKey', async (session) => {
        const holder = await session.untilDecided(() => claimOrHolder(session, claim, nowMs));
        if (!holder) return { granted: true };
        const { fingerprint, parts } = holder;
        if (parts === undefined) return { granted: false, fingerprint };
        const refs = partRefs(session, { id: claim.id, requestId: holder.requestId }, parts);
        const snapshots = await session.read(refs);
        const reply = Buffer.concat(snapshots.map((part) => part.data()?.['bytes'] ?? Buffer.alloc(0)));
        return { granted: false, fingerprint, reply };
      }),

    renewClaim: (claimed, leaseUntilMs) =>
      change('renewClaim', claimed, (writes, read) =>
        writes.update(read.ref, { leaseUntil: new Date(leaseUntilMs) }, unchanged(read)),
      ),

    keepReply: async (claimed, reply) => {
      const pieces = Array.from({ length: Math.ceil(reply.length / PART_BYTES_MAX) }, (_, at) =>
        Buffer.from(reply.subarray(at * PART_BYTES_MAX, (at + 1) * PART_BYTES_MAX)),
      );
      const keepParts = async (session: Session): Promise<void> => {
        const [read] = await session.read([idempotencyRef(session.db, claimed.id)]);
        const expireAt = read.data()?.['expireAt'];
        if (!isAliveClaim(read, claimed)) return;
        const refs = partRefs(session, claimed, pieces.length);
        for (const [at, ref] of refs.entries()) {
          const bytes = pieces[at] ?? Buffer.alloc(0);
          await session.untilDecided(() => session.commit((writes) => writes.set(ref, { bytes, expireAt })));
        }
      };
      await client.run('keepReply', keepParts, KEEP_BUDGET_MS);
      await change('keepReply', claimed, (writes, read) =>
        writes.update(read.ref, { parts: pieces.length }, unchanged(read)),
      );
    },

    releaseClaim: (claimed) =>
      change('releaseClaim', claimed, (writes, read) => writes.delete(read.ref, unchanged(read))),
  };

  /** Changes a claim that is still the request's own and has no reply; it may have been changed by an earlier try. */
  function change(
    name: string,
    claimed: Claimed,
    write: (writes: Parameters<Parameters<Session['commit']>[0]>[0], read: DocumentSnapshot) => void,
  ): Promise<void> {
    return client.decide(name, async (session) => {
      const [read] = await session.read([idempotencyRef(session.db, claimed.id)]);
      if (isAliveClaim(read, claimed)) await session.commit((writes) => write(writes, read));
    });
  }
}

/** Undefined when the claim was granted, else who has the key. */
async function claimOrHolder(session: Session, claim: Claim, nowMs: number): Promise<StoredClaim | undefined> {
  const { id, fingerprint, requestId, leaseUntilMs, expiresAtMs } = claim;
  const [read] = await session.read([idempotencyRef(session.db, id)]);
  const holder = read.data() as StoredClaim | undefined;
  const isKept = holder !== undefined && holder.parts !== undefined;
  const isAlive = holder && holder.expireAt.toMillis() > nowMs && (isKept || holder.leaseUntil.toMillis() > nowMs);
  if (isAlive && (isKept || holder.requestId !== requestId)) {
    if (!isKept && holder.leaseUntil.toMillis() > leaseUntilMs + CLOCKS_DIFFER_MS) {
      await session.commit((writes) => replace(writes, read, { leaseUntil: new Date(leaseUntilMs) }));
    }
    return holder;
  }
  const lifetime = { leaseUntil: new Date(leaseUntilMs), expireAt: new Date(expiresAtMs) };
  const parts = session.FieldValue.delete();
  await session.commit((writes) =>
    replace(writes, read, { fingerprint, requestId, ...lifetime, ...(isKept && { parts }) }),
  );
  return undefined;
}

function isAliveClaim(read: DocumentSnapshot, { requestId }: Claimed): boolean {
  const stored = read.data() as StoredClaim | undefined;
  return stored?.requestId === requestId && stored.parts === undefined;
}

function partRefs({ db }: Session, { id, requestId }: Claimed, count: number): DocumentReference[] {
  return Array.from({ length: count }, (_, at) => replyPartRef(db, id, `${requestId}~${at}`));
}
