import type { Spend } from '../../access/budget';
import { isLive, type KeyRecord } from '../../access/key-store';
import { isoTime } from '../../lib/iso-time';
import { usd } from '../answer/reply-parts';

/** What becomes of a key, in a word; `rotating` works until `expiresAt`. */
export type KeyState = 'active' | 'rotating' | 'expired' | 'inactive' | 'revoked';

/** A key as its owner sees it, with what it has spent this month. */
export function keyBody(key: KeyRecord, { keysNanoUsd }: Pick<Spend, 'keysNanoUsd'>, nowMs: number): object {
  const { keyId, name, prefix, last4, replacedBy, models, endpoints, requestsPerMinute, budgetNanoUsd } = key;
  return {
    id: keyId,
    name,
    prefix,
    last4,
    state: stateOf(key, nowMs),
    createdAt: isoTime(key.createdAtMs),
    lastUsedAt: isoTime(key.lastUsedAtMs),
    expiresAt: isoTime(key.expiresAtMs),
    replacedBy,
    models,
    endpoints,
    requestsPerMinute,
    budgetUsd: budgetNanoUsd === undefined ? undefined : usd(budgetNanoUsd),
    spentUsd: usd(keysNanoUsd.get(keyId) ?? 0),
  };
}

function stateOf(key: KeyRecord, nowMs: number): KeyState {
  if (key.status !== 'active') return key.status;
  if (!isLive(key, nowMs)) return 'expired';
  return key.replacedBy === null ? 'active' : 'rotating';
}
