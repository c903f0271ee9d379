import type { DatabaseSync } from 'node:sqlite';
import type { SealedSecret } from '../../byok/secret-box';
import type { RouterKeyRecord } from '../byok-store';
import { prepare } from './statement';

type RouterKeyRow = Omit<RouterKeyRecord, 'enc'> & { readonly enc: string };

/** Saved router keys, one a user, each sealed (as JSON). Every function is synchronous. */
export function routerKeyTable(db: DatabaseSync) {
  const put = prepare<[string, string, string, number]>(
    db,
    `INSERT INTO router_keys VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
       SET enc = excluded.enc, last4 = excluded.last4, created_at_ms = excluded.created_at_ms`,
  );
  const find = prepare<[string], RouterKeyRow>(
    db,
    'SELECT user_id AS userId, enc, last4, created_at_ms AS createdAtMs FROM router_keys WHERE user_id = ?',
  );
  const reseal = prepare<[string, string, string]>(db, 'UPDATE router_keys SET enc = ? WHERE user_id = ? AND enc = ?');
  const remove = prepare<[string]>(db, 'DELETE FROM router_keys WHERE user_id = ?');

  return {
    put: ({ userId, enc, last4, createdAtMs }: RouterKeyRecord): void => {
      put.run(userId, encode(enc), last4, createdAtMs);
    },
    find: (userId: string): RouterKeyRecord | undefined => {
      const row = find.get(userId);
      return row && { ...row, enc: JSON.parse(row.enc) };
    },
    reseal: (userId: string, from: SealedSecret, to: SealedSecret): boolean =>
      reseal.run(encode(to), userId, encode(from)) === 1,
    remove: (userId: string): boolean => remove.run(userId) === 1,
  };
}

/** Always the same text for the same box: it is compared as text. */
function encode({ v, kid, alg, wdek, iv, ct, tag }: SealedSecret): string {
  return JSON.stringify({ v, kid, alg, wdek, iv, ct, tag });
}
