import type { DatabaseSync } from 'node:sqlite';
import type { Access, KeyRecord, KeyStatus, KeyStore, Subscription } from '../store';
import { prepare } from './statement';

type KeyChange = Parameters<KeyStore['updateKey']>[1];

/** Keys are stored and read column for column; the aliases make a row a `KeyRecord`. */
const COLUMNS = `k.key_id AS keyId, k.hash, k.pepper_version AS pepperVersion, k.user_id AS userId, k.name, k.prefix,
  k.last4, k.status, k.created_at_ms AS createdAtMs, k.expires_at_ms AS expiresAtMs,
  k.last_used_at_ms AS lastUsedAtMs, k.replaced_by AS replacedBy`;

interface AccessRow extends KeyRecord {
  readonly tier: string | null;
  readonly subscriptionStatus: string;
  readonly sourceUpdatedAtMs: number;
}

/** The keys, and the look-up of a key together with its owner's subscription. Every function is synchronous. */
export function keyTable(db: DatabaseSync) {
  const insert = prepare<InsertValues>(db, `INSERT INTO api_keys VALUES (${'?, '.repeat(11)}?)`);
  const find = prepare<[string], KeyRecord>(db, `SELECT ${COLUMNS} FROM api_keys k WHERE key_id = ?`);
  const list = prepare<[string], KeyRecord>(
    db,
    `SELECT ${COLUMNS} FROM api_keys k WHERE user_id = ? ORDER BY created_at_ms DESC, rowid DESC`,
  );
  const update = prepare<[KeyStatus, number | null, string | null, string]>(
    db,
    'UPDATE api_keys SET status = ?, expires_at_ms = ?, replaced_by = ? WHERE key_id = ?',
  );
  const access = prepare<[string], AccessRow>(
    db,
    `SELECT ${COLUMNS}, s.tier, s.status AS subscriptionStatus, s.source_updated_at_ms AS sourceUpdatedAtMs
       FROM api_keys k LEFT JOIN subscriptions s ON s.user_id = k.user_id WHERE k.hash = ?`,
  );

  return {
    insert: (record: KeyRecord): void => {
      insert.run(...valuesOf(record));
    },
    find: (keyId: string): KeyRecord | undefined => plain(find.get(keyId)),
    list: (userId: string): KeyRecord[] => list.all(userId).map((row) => ({ ...row })),
    update: (keyId: string, change: KeyChange): boolean => {
      const record = find.get(keyId);
      if (!record) return false;
      const { status, expiresAtMs, replacedBy } = { ...record, ...change };
      return update.run(status, expiresAtMs, replacedBy, keyId) === 1;
    },
    access: (hashes: readonly string[]): Access | undefined => {
      for (const hash of hashes) {
        const row = access.get(hash);
        if (row) return accessOf(row);
      }
      return undefined;
    },
  };
}

type InsertValues = ReturnType<typeof valuesOf>;

/** In the order of the table's columns. */
function valuesOf(record: KeyRecord) {
  const { keyId, hash, pepperVersion, userId, name, prefix, last4, status } = record;
  const { createdAtMs, expiresAtMs, lastUsedAtMs, replacedBy } = record;
  const times = [createdAtMs, expiresAtMs, lastUsedAtMs] as const;
  return [keyId, hash, pepperVersion, userId, name, prefix, last4, status, ...times, replacedBy] satisfies unknown[];
}

/** SQLite's rows have no prototype; the ports promise ordinary objects. */
function plain(row: KeyRecord | undefined): KeyRecord | undefined {
  return row && { ...row };
}

function accessOf(row: AccessRow): Access {
  const { tier, subscriptionStatus, sourceUpdatedAtMs, ...key } = row;
  const { userId } = key;
  const subscription: Subscription | undefined =
    tier === null ? undefined : { userId, tier, status: subscriptionStatus, sourceUpdatedAtMs };
  return { key, subscription };
}
