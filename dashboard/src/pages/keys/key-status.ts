import { lengthWords } from '../../ui/format-moment';
import type { Tone } from '../../ui/tone';
import { isSpent, type Key } from './keys';

const SOON_MS = 14 * 86_400_000;

/** The shown state of a key. */
export interface KeyStatus {
  readonly tone: Tone;
  readonly text: string;
}

/** The state of a key in words. */
export function keyStatus(key: Pick<Key, 'state' | 'expiresAt' | 'budgetUsd' | 'spentUsd'>, nowMs: number): KeyStatus {
  const leftMs = key.expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(key.expiresAt) - nowMs;
  if (key.state === 'revoked') return { tone: 'neutral', text: 'Revoked' };
  if (key.state === 'expired') return { tone: 'neutral', text: 'Expired' };
  if (key.state === 'inactive') return { tone: 'bad', text: 'Switched off' };
  if (key.state === 'rotating') return { tone: 'warn', text: `Ends in ${lengthWords(leftMs)}` };
  if (isSpent(key)) return { tone: 'bad', text: 'Budget reached' };
  return leftMs < SOON_MS
    ? { tone: 'warn', text: `Expires in ${lengthWords(leftMs)}` }
    : { tone: 'good', text: 'Active' };
}
