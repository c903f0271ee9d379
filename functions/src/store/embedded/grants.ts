import type { GrantStore } from '../../byok/byok-store';
import { decideLease, type Grant, grantState, type OpenLease } from '../../byok/grant';
import type { UserMonth } from '../../ledger/usage-store';
import type { Connection } from './connection';

type OfRequest = UserMonth & { readonly requestId: string };

/** What of the monthly grants is used, and what is set aside for runs under way. */
export function embeddedGrants(connection: Connection): GrantStore {
  const used = connection.prepare<UserMonth, { usedTokens: number }>(
    'SELECT used_tokens AS usedTokens FROM grants WHERE user_id = :userId AND month = :month',
  );
  const leases = connection.prepare<UserMonth, OpenLease & { requestId: string }>(`
    SELECT request_id AS requestId, tokens, lease_until_ms AS untilMs FROM grant_leases
      WHERE user_id = :userId AND month = :month
  `);
  const clear = connection.prepare<UserMonth>('DELETE FROM grant_leases WHERE user_id = :userId AND month = :month');
  const insert = connection.prepare<OfRequest & OpenLease>(
    'INSERT INTO grant_leases VALUES (:userId, :month, :requestId, :tokens, :untilMs)',
  );

  return {
    leaseGrant: (lease, maxTokens, nowMs) =>
      connection.write(() => {
        const { decision, leases: kept } = decideLease(read(lease), lease, { maxTokens, nowMs });
        if (!kept) return decision;
        const { userId, month } = lease;
        clear.run({ userId, month });
        for (const [requestId, open] of kept) insert.run({ userId, month, requestId, ...open });
        return decision;
      }),

    readGrant: (of, nowMs) => connection.read(() => grantState(read(of), nowMs)),
  };

  function read(of: UserMonth): Grant {
    const open = leases.all(of).map(({ requestId, ...lease }) => [requestId, lease] as const);
    return { usedTokens: used.get(of)?.usedTokens ?? 0, leases: new Map(open) };
  }
}

/** Ends a run's lease and adds what it used; to be run in the transaction that closed its record. */
export function grantSettlement(connection: Connection) {
  const drop = connection.prepare<OfRequest>(
    'DELETE FROM grant_leases WHERE user_id = :userId AND month = :month AND request_id = :requestId',
  );
  const add = connection.prepare<UserMonth & { tokens: number }>(`
    INSERT INTO grants VALUES (:userId, :month, :tokens) ON CONFLICT DO UPDATE
      SET used_tokens = min(used_tokens + excluded.used_tokens, ${Number.MAX_SAFE_INTEGER})
  `);
  return ({ userId, month, requestId }: OfRequest, tokens: number): void => {
    drop.run({ userId, month, requestId });
    add.run({ userId, month, tokens });
  };
}
