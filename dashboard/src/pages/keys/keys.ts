import type { Schema } from '../../api/client';

/** A key as its owner sees it. */
export type Key = Schema<'Key'>;

/** By what name the keys are kept: what changes them has them read anew. */
export const KEYS_QUERY = ['keys'] as const;

const GONE: ReadonlySet<string> = new Set(['expired', 'revoked']);

/** Whether it has ended for good. */
export function isGone({ state }: Pick<Key, 'state'>): boolean {
  return GONE.has(state);
}

/** A key as it is shown: how it begins and ends. */
export function shortKey({ prefix, last4 }: Pick<Key, 'prefix' | 'last4'>): string {
  return `${prefix}…${last4}`;
}

/** Whether this month's budget of the key is spent, so that it is refused. */
export function isSpent({ budgetUsd, spentUsd }: Pick<Key, 'budgetUsd' | 'spentUsd'>): boolean {
  return budgetUsd !== undefined && spentUsd >= budgetUsd;
}

/** How many count to the limit of live keys: one that was replaced works on without counting. */
export function liveCount(keys: readonly Pick<Key, 'state'>[]): number {
  return keys.filter(({ state }) => state === 'active').length;
}
