import type { DatabaseSync } from 'node:sqlite';
import { decideLease, type GrantBook, type LeaseTerms, leasedTokens } from '../../byok/grant';
import type { GrantLease, GrantState, GrantWord } from '../byok-store';
import type { UserMonth } from '../store';
import { prepare } from './statement';

interface LeaseRow {
  readonly requestId: string;
  readonly tokens: number;
  readonly untilMs: number;
}

/** What of the monthly grants is used, and what is set aside for runs under way. Every function is synchronous. */
export function grantTables(db: DatabaseSync) {
  const used = prepare<[string, string], { readonly usedTokens: number }>(
    db,
    'SELECT used_tokens AS usedTokens FROM grants WHERE user_id = ? AND month = ?',
  );
  const leases = prepare<[string, string], LeaseRow>(
    db,
    `SELECT request_id AS requestId, tokens, lease_until_ms AS untilMs FROM grant_leases
     WHERE user_id = ? AND month = ?`,
  );
  const put = prepare<[string, string, string, number, number]>(
    db,
    `INSERT INTO grant_leases VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
       SET tokens = excluded.tokens, lease_until_ms = excluded.lease_until_ms`,
  );
  const drop = prepare<[string, string, string]>(
    db,
    'DELETE FROM grant_leases WHERE user_id = ? AND month = ? AND request_id = ?',
  );
  const add = prepare<[string, string, number]>(
    db,
    `INSERT INTO grants VALUES (?, ?, ?) ON CONFLICT DO UPDATE
       SET used_tokens = min(used_tokens + excluded.used_tokens, ${Number.MAX_SAFE_INTEGER})`,
  );

  function bookOf({ userId, month }: UserMonth): GrantBook {
    const rows = leases.all(userId, month);
    const open = rows.map(({ requestId, tokens, untilMs }) => [requestId, { tokens, untilMs }] as const);
    return { usedTokens: used.get(userId, month)?.usedTokens ?? 0, leases: new Map(open) };
  }

  return {
    /** To be run in a write transaction. */
    lease: (lease: GrantLease, terms: LeaseTerms): GrantWord => {
      const { userId, month } = lease;
      const book = bookOf(lease);
      const { word, leases: kept } = decideLease(book, lease, terms);
      if (!kept) return word;
      for (const requestId of book.leases.keys()) if (!kept.has(requestId)) drop.run(userId, month, requestId);
      const own = kept.get(lease.requestId);
      if (own) put.run(userId, month, lease.requestId, own.tokens, own.untilMs);
      return word;
    },

    /** Ends a run's lease and adds what it used; to be run in the transaction that closed its record. */
    settle: ({ userId, month }: UserMonth, requestId: string, tokens: number): void => {
      drop.run(userId, month, requestId);
      add.run(userId, month, tokens);
    },

    /** To be run in a read transaction. */
    read: (of: UserMonth, nowMs: number): GrantState => {
      const book = bookOf(of);
      return { usedTokens: book.usedTokens, leasedTokens: leasedTokens(book, nowMs) };
    },
  };
}
