import type { RouterKeyRecord, RouterKeyStore } from '../../byok/byok-store';
import type { SealedSecret } from '../../byok/secret-box';
import { actRecorder } from './acts';
import type { Connection } from './connection';

type RouterKeyRow = Omit<RouterKeyRecord, 'enc'> & { readonly enc: string };

/** Saved router keys, one a user, each sealed (as JSON). */
export function embeddedRouterKeys(connection: Connection): RouterKeyStore {
  const put = connection.prepare<RouterKeyRow>(`
    INSERT INTO router_keys VALUES (:userId, :enc, :last4, :createdAtMs) ON CONFLICT DO UPDATE
      SET enc = excluded.enc, last4 = excluded.last4, created_at_ms = excluded.created_at_ms
  `);
  const find = connection.prepare<{ userId: string }, RouterKeyRow>(
    'SELECT user_id AS userId, enc, last4, created_at_ms AS createdAtMs FROM router_keys WHERE user_id = :userId',
  );
  const reseal = connection.prepare<{ userId: string; from: string; to: string }>(
    'UPDATE router_keys SET enc = :to WHERE user_id = :userId AND enc = :from',
  );
  const remove = connection.prepare<{ userId: string }>('DELETE FROM router_keys WHERE user_id = :userId');
  const record = actRecorder(connection);

  return {
    putRouterKey: (key, act) =>
      connection.write(() => {
        put.run({ ...key, enc: encode(key.enc) });
        record(act);
      }),
    findRouterKey: (userId) =>
      connection.read(() => {
        const row = find.get({ userId });
        return row && { ...row, enc: JSON.parse(row.enc) };
      }),
    resealRouterKey: (userId, from, to) =>
      connection.write(() => reseal.run({ userId, from: encode(from), to: encode(to) }) === 1),
    deleteRouterKey: (userId, act) =>
      connection.write(() => {
        if (remove.run({ userId }) === 0) return false;
        record(act);
        return true;
      }),
  };
}

/** Always the same text for the same secret: it is compared as text. */
function encode({ v, kid, alg, wdek, iv, ct, tag }: SealedSecret): string {
  return JSON.stringify({ v, kid, alg, wdek, iv, ct, tag });
}
