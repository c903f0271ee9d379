import type { DatabaseSync } from 'node:sqlite';
import type { Subscription } from '../store';
import { prepare } from './statement';

/** The newest statement about each user's subscription. Every function is synchronous. */
export function subscriptionTable(db: DatabaseSync) {
  const get = prepare<[string], Subscription>(
    db,
    `SELECT user_id AS userId, tier, status, source_updated_at_ms AS sourceUpdatedAtMs
       FROM subscriptions WHERE user_id = ?`,
  );
  const put = prepare<[string, string, string, number]>(
    db,
    `INSERT INTO subscriptions VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
       SET tier = excluded.tier, status = excluded.status, source_updated_at_ms = excluded.source_updated_at_ms
     WHERE excluded.source_updated_at_ms >= subscriptions.source_updated_at_ms`,
  );

  return {
    get: (userId: string): Subscription | undefined => {
      const row = get.get(userId);
      return row && { ...row };
    },
    put: ({ userId, tier, status, sourceUpdatedAtMs }: Subscription): boolean =>
      put.run(userId, tier, status, sourceUpdatedAtMs) === 1,
  };
}
