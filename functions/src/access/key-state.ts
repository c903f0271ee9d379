import type { KeyInsertion, KeyLimits, KeyRecord, KeyTerms } from './key-store';

/** A key's last use is written at most this often, to spare a write per request. */
const LAST_USED_STEP_MS = 60 * 1000;

/** True where a use at `usedAtMs` is to be written: never back, and not for less than a minute. */
export function isUseDue(lastUsedAtMs: number | null | undefined, usedAtMs: number): boolean {
  return lastUsedAtMs == null || usedAtMs - lastUsedAtMs >= LAST_USED_STEP_MS;
}

/** True for a key that works, as far as the key itself is concerned: while `active` and, if it expires, before that. */
export function isLive({ status, expiresAtMs }: KeyRecord, nowMs: number): boolean {
  return status === 'active' && (expiresAtMs === null || expiresAtMs > nowMs);
}

export function limitsOf({ models, endpoints, requestsPerMinute, budgetNanoUsd }: KeyLimits): KeyLimits {
  return {
    ...(models && { models }),
    ...(endpoints && { endpoints }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(budgetNanoUsd !== undefined && { budgetNanoUsd }),
  };
}

/** Decides, by a user's keys, whether one more may be stored. */
export function judgeInsertion(keys: readonly KeyRecord[], { liveMax, nowMs, replaces }: KeyTerms): KeyInsertion {
  const live = keys.filter((key) => isLive(key, nowMs));
  const lasting = live.filter(({ replacedBy }) => replacedBy === null);
  if (!replaces) return lasting.length < liveMax ? 'inserted' : 'full';
  if (lasting.every(({ keyId }) => keyId !== replaces.keyId)) return 'gone';
  const isRoomy = replaces.endsAtMs <= nowMs || live.length - lasting.length < liveMax;
  return isRoomy && lasting.length <= liveMax ? 'inserted' : 'full';
}
