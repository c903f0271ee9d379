import type { Claim, Claimed, IdempotencyStore } from '../../ledger/idempotency-store';
import { CLOCKS_DIFFER_MS } from '../../lib/clock';
import type { Connection } from './connection';

type ById = Pick<Claim, 'id'>;
type Row = Pick<Claim, 'fingerprint' | 'requestId'> & { readonly reply: Uint8Array | null };

/** Requests with an idempotency key: one row for each key, whose reply is there once it has ended well. */
export function embeddedIdempotency(connection: Connection): IdempotencyStore {
  const alive = connection.prepare<ById & { nowMs: number }, Row>(`
    SELECT fingerprint, request_id AS requestId, reply FROM idempotency
      WHERE id = :id AND expires_at_ms > :nowMs AND (reply IS NOT NULL OR lease_until_ms > :nowMs)
  `);
  const bound = connection.prepare<Pick<Claim, 'id' | 'leaseUntilMs'>>(`
    UPDATE idempotency SET lease_until_ms = :leaseUntilMs
      WHERE id = :id AND reply IS NULL AND lease_until_ms > :leaseUntilMs + ${CLOCKS_DIFFER_MS}
  `);
  const claim = connection.prepare<Claim>(
    'INSERT OR REPLACE INTO idempotency VALUES (:id, :fingerprint, :requestId, :leaseUntilMs, :expiresAtMs, NULL)',
  );
  const claimed = 'WHERE id = :id AND request_id = :requestId AND reply IS NULL';
  const renew = connection.prepare<Claimed & { leaseUntilMs: number }>(
    `UPDATE idempotency SET lease_until_ms = :leaseUntilMs ${claimed}`,
  );
  const keep = connection.prepare<Claimed & { reply: Uint8Array }>(`UPDATE idempotency SET reply = :reply ${claimed}`);
  const release = connection.prepare<Claimed>(`DELETE FROM idempotency ${claimed}`);

  return {
    claimKey: (wanted, nowMs) =>
      connection.write(() => {
        const { id, requestId, leaseUntilMs } = wanted;
        bound.run({ id, leaseUntilMs });
        const holder = alive.get({ id, nowMs });
        if (holder && (holder.requestId !== requestId || holder.reply)) {
          const { fingerprint, reply } = holder;
          return { granted: false, fingerprint, ...(reply && { reply }) };
        }
        claim.run(wanted);
        return { granted: true };
      }),

    renewClaim: (of, leaseUntilMs) =>
      connection.write(() => {
        renew.run({ ...of, leaseUntilMs });
      }),

    keepReply: (of, reply) =>
      connection.write(() => {
        keep.run({ ...of, reply });
      }),

    releaseClaim: (of) =>
      connection.write(() => {
        release.run(of);
      }),
  };
}
