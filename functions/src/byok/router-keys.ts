import { byUser, newAct } from '../access/act';
import { requireByok, type SubscriptionStore } from '../access/subscription';
import { isRefusal, type Refusal, refuse } from '../errors';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { RouterKeyRecord, RouterKeyStore } from './byok-store';
import { type KeyRing, open, seal } from './secret-box';

export interface RouterKeyDeps {
  readonly store: RouterKeyStore & SubscriptionStore;
  readonly clock: Clock;
  /** Empty where `ROUTER_KEY_SECRET` is not set: nothing can be saved then. Read only when needed: it may be made then. */
  readonly keyRing: KeyRing;
  readonly log: Log;
  readonly network?: string;
}

/** All that is ever shown of a saved key. */
export type SavedRouterKey = Pick<RouterKeyRecord, 'last4' | 'createdAtMs'>;

/** Printable ASCII without spaces: what may stand in a header. A key of eight characters still hides half of them. */
const KEY_SHAPE = /^[\x21-\x7e]{8,512}$/;

/** Saves a user's router key, sealed, in the place of the one before; surrounding blanks are not part of it. */
export async function saveRouterKey(
  deps: RouterKeyDeps,
  { userId, key: text }: { readonly userId: string; readonly key: string },
): Promise<SavedRouterKey | Refusal> {
  const { store, clock } = deps;
  const subscription = await requireByok(store, userId);
  if (isRefusal(subscription)) return subscription;
  const key = text.trim();
  if (!KEY_SHAPE.test(key)) {
    return refuse('invalid_request', 'Invalid key: must have 8 to 512 printable characters without spaces');
  }
  const ring = deps.keyRing;
  if (ring.length === 0) {
    return refuse('internal', 'Router keys cannot be saved here: ROUTER_KEY_SECRET is not set');
  }
  const saved: SavedRouterKey = { last4: key.slice(-4), createdAtMs: clock.nowMs() };
  const details = { last4: saved.last4 };
  const act = newAct(clock, { ...byUser(deps), name: 'router_key.save', userId, details });
  await store.putRouterKey({ userId, enc: seal(key, { userId, ring }, clock), ...saved }, act);
  return saved;
}

/** Removes a user's router key, on any plan; resolves false when there was none. */
export function removeRouterKey(
  { store, clock, network }: Pick<RouterKeyDeps, 'store' | 'clock' | 'network'>,
  userId: string,
): Promise<boolean> {
  return store.deleteRouterKey(userId, newAct(clock, { ...byUser({ network }), name: 'router_key.remove', userId }));
}

/** Visible part of a saved key; undefined when there is none. */
export async function showRouterKey(store: RouterKeyStore, userId: string): Promise<SavedRouterKey | undefined> {
  const record = await store.findRouterKey(userId);
  return record && { last4: record.last4, createdAtMs: record.createdAtMs };
}

/** The key itself, for one run and nothing else. */
export async function unlockRouterKey(deps: RouterKeyDeps, userId: string): Promise<string | Refusal> {
  const { store, clock, log } = deps;
  const record = await store.findRouterKey(userId);
  if (!record) return refuse('invalid_request', 'No router key is saved: save yours before using router models');
  const owner = { userId, ring: deps.keyRing };
  const key = open(record.enc, owner);
  if (key === undefined) {
    log.error('router key cannot be opened', { userId, kid: record.enc.kid });
    return refuse('invalid_request', 'The saved router key can no longer be read: save it again');
  }
  if (record.enc.kid !== owner.ring[0]?.kid) {
    await store
      .resealRouterKey(userId, record.enc, seal(key, owner, clock))
      .catch((error: unknown) => log.warn('reseal failed', { userId }, error));
  }
  return key;
}
