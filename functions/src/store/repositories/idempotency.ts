import type { Claim, Claimed, IdempotencyStore } from '../../ledger/idempotency';
import { CLOCKS_DIFFER_MS } from '../../lib/clock';
import { change, type Documents, merge, REMOVED, remove, type Snapshot, type Write } from '../documents';
import { at } from './refs';

/** A document of Firestore holds at most 1 MiB. */
const PART_BYTES_MAX = 900_000;

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
 * request that made it, and counts once the claim says how many there are: parts of a claim that was lost are never read.
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
      const pieces = await documents.get('claimKey', refs);
      const reply = Buffer.concat(pieces.map(({ fields }) => fields?.bytes ?? Buffer.alloc(0)));
      return { granted: false, fingerprint, reply };
    },

    renewClaim: (claimed, leaseUntilMs) =>
      changeClaim('renewClaim', claimed, (stored) => change(stored, { leaseUntil: leaseUntilMs })),

    keepReply: async (claimed, reply) => {
      const [stored] = await documents.get('keepReply', [claimRef(claimed)]);
      if (!stored.fields || !isAlive(stored.fields, claimed)) return;
      const { expireAt } = stored.fields;
      const parts = Math.ceil(reply.length / PART_BYTES_MAX);
      for (let part = 0; part < parts; part += 1) {
        const bytes = reply.subarray(part * PART_BYTES_MAX, (part + 1) * PART_BYTES_MAX);
        const writes = [merge(partRef(claimed, part), { bytes, expireAt })];
        await documents.change('keepReply', { read: [], decide: () => ({ result: undefined, writes }) });
      }
      await changeClaim('keepReply', claimed, (read) => change(read, { parts }));
    },

    releaseClaim: (claimed) => changeClaim('releaseClaim', claimed, remove),
  };

  /** Changes a claim that is still the request's own and has no reply; it may have been changed by an earlier try. */
  function changeClaim(name: string, claimed: Claimed, writeOf: (stored: Snapshot<StoredClaim>) => Write) {
    return documents.change(name, {
      read: [claimRef(claimed)],
      decide: ([stored]) => ({
        result: undefined,
        writes: stored.fields && isAlive(stored.fields, claimed) ? [writeOf(stored)] : [],
      }),
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

function isAlive(stored: StoredClaim, { requestId }: Claimed): boolean {
  return stored.requestId === requestId && stored.parts === undefined;
}

const claimRef = ({ id }: Pick<Claim, 'id'>) => at<StoredClaim>('idempotency', id);

const partRef = ({ id, requestId }: Claimed, part: number) =>
  at<{ readonly bytes: Uint8Array }>('idempotency', id, 'replyParts', `${requestId}~${part}`);
