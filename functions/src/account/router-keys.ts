import type { KeyRing } from '../byok/key-ring';
import { isCurrent, open, seal } from '../byok/secret-box';
import { isRefusal, type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { RouterKeyRecord, RouterKeyStore } from '../store/byok-store';
import type { SubscriptionStore } from '../store/store';
import { requireByok } from './plan';

/** What the management of router keys works with. */
export interface RouterKeyDesk {
  readonly store: RouterKeyStore & SubscriptionStore;
  readonly clock: Clock;
  /** Empty where `ROUTER_KEY_SECRET` is not set: nothing can be saved then. */
  readonly keyRing: KeyRing;
  readonly log: Log;
}

/** All that is ever shown of a saved key. */
export type SavedRouterKey = Pick<RouterKeyRecord, 'last4' | 'createdAtMs'>;

/** Printable ASCII without spaces: what may stand in a header. A key of eight characters still hides half of them. */
const KEY_SHAPE = /^[\x21-\x7e]{8,512}$/;

/**
 * Saves a user's router key, sealed, in the place of the one before; surrounding blanks are not part of it. The router
 * is not asked: saving does not depend on it. No refusal repeats any of the key.
 */
export async function saveRouterKey(
  desk: RouterKeyDesk,
  { userId, key: text }: { readonly userId: string; readonly key: string },
): Promise<SavedRouterKey | Refusal> {
  const plan = await requireByok(desk.store, userId);
  if (isRefusal(plan)) return plan;
  const key = text.trim();
  if (!KEY_SHAPE.test(key)) {
    return refuse('invalid_request', 'Invalid key: must have 8 to 512 printable characters without spaces');
  }
  if (desk.keyRing.length === 0) {
    return refuse('internal', 'Router keys cannot be saved here: ROUTER_KEY_SECRET is not set');
  }
  const saved: SavedRouterKey = { last4: key.slice(-4), createdAtMs: desk.clock.nowMs() };
  const enc = seal(key, { userId, ring: desk.keyRing }, desk.clock);
  await desk.store.putRouterKey({ userId, enc, ...saved });
  return saved;
}

/** What its owner may see of a saved key; undefined when there is none. */
export async function showRouterKey(
  { store }: Pick<RouterKeyDesk, 'store'>,
  userId: string,
): Promise<SavedRouterKey | undefined> {
  const record = await store.findRouterKey(userId);
  return record && { last4: record.last4, createdAtMs: record.createdAtMs };
}

/** Deletes a saved key, whatever the user's subscription; false when there was none. */
export function deleteRouterKey({ store }: Pick<RouterKeyDesk, 'store'>, userId: string): Promise<boolean> {
  return store.deleteRouterKey(userId);
}

/**
 * The key itself, for one run and nothing else. One that was sealed under an older key of the ring is sealed anew on the
 * way. Refuses when there is none, or when it does not open.
 */
export async function unlockRouterKey(desk: RouterKeyDesk, userId: string): Promise<string | Refusal> {
  const record = await desk.store.findRouterKey(userId);
  if (!record) return refuse('invalid_request', 'No router key is saved: save yours before using router models');
  const owner = { userId, ring: desk.keyRing };
  const key = open(record.enc, owner);
  if (key === undefined) {
    desk.log.routerKeyUnreadable(userId, record.enc.kid);
    return refuse('invalid_request', 'The saved router key can no longer be read: save it again');
  }
  if (!isCurrent(record.enc, desk.keyRing)) {
    await desk.store
      .resealRouterKey(userId, record.enc, seal(key, owner, desk.clock))
      .catch((error: unknown) => desk.log.resealFailed(userId, error));
  }
  return key;
}
