import { Lru } from '../../lib/lru';
import { LAST_USED_STEP_MS } from '../../usage/retention';
import type { KeyRecord } from '../store';
import { keyIdRef } from './refs';
import type { Session } from './session';

const KEYS_MAX = 10_000;

/**
 * What this process knows of keys' last uses, so that most settlements need not look: a use is written at most every
 * five minutes.
 */
export class KeyUses {
  readonly #known = new Lru<string, { hash: string; lastUsedAtMs: number | null }>(KEYS_MAX);

  /** Remembers a key as it was read. */
  note({ keyId, hash, lastUsedAtMs }: Pick<KeyRecord, 'keyId' | 'hash' | 'lastUsedAtMs'>): void {
    this.#known.set(keyId, { hash, lastUsedAtMs });
  }

  /** The hash of a key whose last use may have to be moved to `usedAtMs`; undefined when it need not, or has vanished. */
  async hashIfDue(session: Session, keyId: string, usedAtMs: number): Promise<string | undefined> {
    const known = this.#known.get(keyId);
    if (known) return isDue(known.lastUsedAtMs, usedAtMs) ? known.hash : undefined;
    const [pointer] = await session.read([keyIdRef(session.db, keyId)]);
    return pointer?.get('hash') as string | undefined;
  }
}

/** Whether a use at `usedAtMs` is to be written: never back, and not for less than five minutes. */
export function isDue(lastUsedAtMs: number | null, usedAtMs: number): boolean {
  return lastUsedAtMs === null || usedAtMs - lastUsedAtMs >= LAST_USED_STEP_MS;
}
