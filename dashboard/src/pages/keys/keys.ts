import type { Schema } from '../../api/client';

/** A key as its owner sees it. */
export type Key = Schema<'Key'>;

/** The name under which the keys are kept: what changes them has them read anew. */
export const KEYS_QUERY = ['keys'] as const;

const GONE: ReadonlySet<string> = new Set(['expired', 'revoked']);

/** True if it has ended for good. */
export function isGone({ state }: Pick<Key, 'state'>): boolean {
  return GONE.has(state);
}

/** A key as it is shown: how it begins and ends. */
export function shortKey({ prefix, last4 }: Pick<Key, 'prefix' | 'last4'>): string {
  return `${prefix}…${last4}`;
}

/** True if this month's budget of the key is spent, so that it is refused. */
export function isSpent({ budgetUsd, spentUsd }: Pick<Key, 'budgetUsd' | 'spentUsd'>): boolean {
  return budgetUsd !== undefined && spentUsd >= budgetUsd;
}

/** Number of keys that count to the limit of live ones: one that was replaced works on without counting. */
export function liveCount(keys: readonly Pick<Key, 'state'>[]): number {
  return keys.filter(({ state }) => state === 'active').length;
}
