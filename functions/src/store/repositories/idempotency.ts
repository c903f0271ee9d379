import type { Claim, Claimed, IdempotencyStore } from '../../ledger/idempotency';
import { CLOCKS_DIFFER_MS } from '../../lib/clock';
import { change, type Documents, merge, REMOVED, remove, type Snapshot, type Write } from '../documents';
import { piecesOf, readPieces, type StoredPiece } from './pieces';
import { at } from './refs';

/** Time for a reply of several megabytes. */
const BUDGET_MS = 10_000;

interface StoredClaim {
  readonly fingerprint: string;
  readonly requestId: string;
  readonly leaseUntil: number;
  readonly expireAt: number;
  /** Number of documents that hold the reply; absent while there is none. */
  readonly parts?: number;
}

/**
 * Requests with an idempotency key, at `idempotency/{id}`. The reply is cut into documents beside it, named after the
 * request that made it.
 */
export function idempotencyRepository(documents: Documents): IdempotencyStore {
  return {
    claimKey: async (claim, nowMs) => {
      const holder = await documents.change('claimKey', {
        read: [claimRef(claim)],
        decide: ([stored]) => claimOrHolder(stored, claim, nowMs),
      });
      if (!holder) return { granted: true };
      const { fingerprint, requestId, parts } = holder;
      if (parts === undefined) return { granted: false, fingerprint };
      const refs = Array.from({ length: parts }, (_, part) => partRef({ id: claim.id, requestId }, part));
      return { granted: false, fingerprint, reply: await readPieces(documents, 'claimKey', refs) };
    },

    renewClaim: (claimed, leaseUntilMs) =>
      changeClaim('renewClaim', claimed, (stored) => [change(stored, { leaseUntil: leaseUntilMs })]),

    keepReply: (claimed, reply) =>
      changeClaim('keepReply', claimed, (stored) => {
        const parts = piecesOf(reply).map((bytes, part) =>
          merge(partRef(claimed, part), { bytes, expireAt: stored.fields?.expireAt }),
        );
        return [...parts, change(stored, { parts: parts.length })];
      }),

    releaseClaim: (claimed) => changeClaim('releaseClaim', claimed, (stored) => [remove(stored)]),
  };

  /** Changes a claim that is still the request's own and has no reply; it may have been changed by an earlier try. */
  function changeClaim(name: string, claimed: Claimed, writesOf: (stored: Snapshot<StoredClaim>) => Write[]) {
    return documents.change(name, {
      read: [claimRef(claimed)],
      budgetMs: BUDGET_MS,
      decide: ([stored]) => {
        const { requestId, parts } = stored.fields ?? {};
        const isAlive = requestId === claimed.requestId && parts === undefined;
        return { result: undefined, writes: isAlive ? writesOf(stored) : [] };
      },
    });
  }
}

/** Undefined when the claim is granted, else the one in its way. */
function claimOrHolder(stored: Snapshot<StoredClaim>, claim: Claim, nowMs: number) {
  const { fingerprint, requestId, leaseUntilMs, expiresAtMs } = claim;
  const holder = stored.fields;
  const isKept = holder?.parts !== undefined;
  const isHeld = holder && holder.expireAt > nowMs && (isKept || holder.leaseUntil > nowMs);
  if (isHeld && (isKept || holder.requestId !== requestId)) {
    const isTooLong = !isKept && holder.leaseUntil > leaseUntilMs + CLOCKS_DIFFER_MS;
    return { result: holder, writes: isTooLong ? [change(stored, { leaseUntil: leaseUntilMs })] : [] };
  }
  const lifetime = { leaseUntil: leaseUntilMs, expireAt: expiresAtMs };
  const granted = { fingerprint, requestId, ...lifetime, ...(isKept && { parts: REMOVED }) };
  return { result: undefined, writes: [change(stored, granted)] };
}

const claimRef = ({ id }: Pick<Claim, 'id'>) => at<StoredClaim>('idempotency', id);

const partRef = ({ id, requestId }: Claimed, part: number) =>
  at<StoredPiece>('idempotency', id, 'replyParts', `${requestId}~${part}`);
