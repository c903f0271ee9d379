import {
  type AccessStore,
  judgeInsertion,
  type KeyChange,
  type KeyRecord,
  type KeyStore,
  type KeyTagStore,
  LAST_USED_STEP_MS,
  limitsOf,
} from '../../access/key-store';
import type { OPTIONAL_FIELDS, Subscription, SubscriptionStore } from '../../access/subscription';
import { actRecorder } from './acts';
import type { Connection } from './connection';

/** Keys are stored column for column, their limits as JSON. */
type KeyRow = KeyRecord & { readonly limits: string };

/** The aliases make a row a `KeyRow`. */
const COLUMNS = `key_id AS keyId, hash, pepper_version AS pepperVersion, user_id AS userId, name, prefix, last4, status,
  created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs, last_used_at_ms AS lastUsedAtMs,
  replaced_by AS replacedBy, limits`;

/** The aliases make a row a `SubscriptionRow`. */
const SUBSCRIPTION_COLUMNS = `user_id AS userId, tier, status, source_updated_at_ms AS sourceUpdatedAtMs, source,
  renews_at_ms AS renewsAtMs, ends_at_ms AS endsAtMs, trial_ends_at_ms AS trialEndsAtMs,
  budget_nano_usd AS budgetNanoUsd`;

type OptionalField = (typeof OPTIONAL_FIELDS)[number] | 'budgetNanoUsd';
type SubscriptionRow = Omit<Subscription, OptionalField> & {
  readonly [Field in OptionalField]-?: NonNullable<Subscription[Field]> | null;
};

const UNSAID = { source: null, renewsAtMs: null, endsAtMs: null, trialEndsAtMs: null };

/** Keys, the newest statement about each user's subscription, and the look-up of both together. */
export function embeddedKeys(connection: Connection): KeyStore & KeyTagStore & SubscriptionStore & AccessStore {
  const insert = connection.prepare<KeyRow>(`
    INSERT INTO api_keys VALUES (:keyId, :hash, :pepperVersion, :userId, :name, :prefix, :last4, :status, :createdAtMs,
      :expiresAtMs, :lastUsedAtMs, :replacedBy, :limits)
  `);
  const find = connection.prepare<{ keyId: string }, KeyRow>(`SELECT ${COLUMNS} FROM api_keys WHERE key_id = :keyId`);
  const findByHash = connection.prepare<{ hash: string }, KeyRow>(`SELECT ${COLUMNS} FROM api_keys WHERE hash = :hash`);
  const list = connection.prepare<{ userId: string }, KeyRow>(
    `SELECT ${COLUMNS} FROM api_keys WHERE user_id = :userId ORDER BY created_at_ms DESC, rowid DESC`,
  );
  const update = connection.prepare<KeyRow>(`
    UPDATE api_keys SET name = :name, status = :status, expires_at_ms = :expiresAtMs, replaced_by = :replacedBy,
      limits = :limits WHERE key_id = :keyId
  `);
  const rehash = connection.prepare<{ from: string } & Pick<KeyRecord, 'hash' | 'pepperVersion'>>(
    'UPDATE api_keys SET hash = :hash, pepper_version = :pepperVersion WHERE hash = :from',
  );
  const moveLastUse = connection.prepare<{ hash: string; usedAtMs: number; stepMs: number }>(`
    UPDATE api_keys SET last_used_at_ms = :usedAtMs
      WHERE hash = :hash AND (last_used_at_ms IS NULL OR last_used_at_ms <= :usedAtMs - :stepMs)
  `);
  const putTagKey = connection.prepare<{ pepperVersion: string; tagKey: string }>(
    'INSERT INTO tag_keys VALUES (:pepperVersion, :tagKey) ON CONFLICT DO NOTHING',
  );
  const tagKeys = connection.prepare<object, { tagKey: string }>('SELECT tag_key AS tagKey FROM tag_keys');
  const subscription = connection.prepare<{ userId: string }, SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE user_id = :userId`,
  );
  const subscriptions = connection.prepare<{ after: string; max: number }, SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM subscriptions WHERE user_id > :after ORDER BY user_id LIMIT :max`,
  );
  const putSubscription = connection.prepare<Omit<SubscriptionRow, 'budgetNanoUsd'>>(`
    INSERT INTO subscriptions (user_id, tier, status, source_updated_at_ms, source, renews_at_ms, ends_at_ms,
        trial_ends_at_ms)
      VALUES (:userId, :tier, :status, :sourceUpdatedAtMs, :source, :renewsAtMs, :endsAtMs, :trialEndsAtMs)
      ON CONFLICT DO UPDATE
      SET tier = excluded.tier, status = excluded.status, source_updated_at_ms = excluded.source_updated_at_ms,
        source = excluded.source, renews_at_ms = excluded.renews_at_ms, ends_at_ms = excluded.ends_at_ms,
        trial_ends_at_ms = excluded.trial_ends_at_ms
      WHERE excluded.source_updated_at_ms >= subscriptions.source_updated_at_ms
  `);

  const record = actRecorder(connection);

  return {
    insertKey: (key, terms) =>
      connection.write(() => {
        if (terms) {
          const { tagKey, replaces } = terms;
          const decision = judgeInsertion(list.all(key).map(recordOf), terms);
          if (decision !== 'inserted') return decision;
          putTagKey.run({ ...key, tagKey });
          const replaced = replaces && find.get(replaces);
          if (replaced) update.run({ ...replaced, expiresAtMs: replaces.endsAtMs, replacedBy: key.keyId });
        }
        insert.run({ ...key, limits: JSON.stringify(limitsOf(key)) });
        record(terms?.act);
        return 'inserted';
      }),
    findKey: (keyId) =>
      connection.read(() => {
        const row = find.get({ keyId });
        return row && recordOf(row);
      }),
    listKeys: (userId) => connection.read(() => list.all({ userId }).map(recordOf)),
    updateKey: ({ userId, keyId }, change, act) =>
      connection.write(() => {
        const row = find.get({ keyId });
        if (row?.userId !== userId) return false;
        update.run(changed(row, change));
        record(act);
        return true;
      }),
    listTagKeys: () => connection.read(() => tagKeys.all({}).map(({ tagKey }) => tagKey)),

    getSubscription: (userId) => connection.read(() => subscriptionOf(subscription.get({ userId }))),
    listSubscriptions: ({ after = '', max }) =>
      connection.read(() => subscriptions.all({ after, max }).flatMap((row) => subscriptionOf(row) ?? [])),
    putSubscription: (statement, act) =>
      connection.write(() => {
        if (putSubscription.run({ ...UNSAID, ...statement }) === 0) return false;
        record(act);
        return true;
      }),

    rehashKey: (from, to) =>
      connection.write(() => rehash.run({ ...to, from }) === 1 || findByHash.get(to) !== undefined),
    noteKeyUse: (hash, usedAtMs) =>
      connection.write(() => {
        moveLastUse.run({ hash, usedAtMs, stepMs: LAST_USED_STEP_MS });
      }),
    readAccess: (hashes) =>
      connection.read(() => {
        const row = hashes.map((hash) => findByHash.get({ hash })).find((found) => found !== undefined);
        return row && { key: recordOf(row), subscription: subscriptionOf(subscription.get(row)) };
      }),
  };
}

function changed(row: KeyRow, { budgetNanoUsd, ...change }: KeyChange): KeyRow {
  if (budgetNanoUsd === undefined) return { ...row, ...change };
  const { budgetNanoUsd: _, ...others } = limitsOf(recordOf(row));
  const limits = budgetNanoUsd === null ? others : { ...others, budgetNanoUsd };
  return { ...row, ...change, limits: JSON.stringify(limits) };
}

function recordOf({ limits, ...record }: KeyRow): KeyRecord {
  return limits === '{}' ? record : { ...record, ...JSON.parse(limits) };
}

function subscriptionOf(row: SubscriptionRow | undefined): Subscription | undefined {
  if (!row) return undefined;
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as Subscription;
}
