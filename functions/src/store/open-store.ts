import { type Pepper, parsePeppers } from '../access/peppers';
import type { KeyRing } from '../byok/secret-box';
import type { Clock } from '../lib/clock';
import { SettingsError } from '../lib/settings-reader';
import { openEmbeddedStore } from './embedded/embedded-store';
import { localKeyRing, localPepper } from './embedded/local-secrets';
import { openFirestoreStore } from './firestore/firestore-store';
import type { Store } from './store';
import type { StoreChoice } from './store-settings';

/** Opens the store that `STORE` names. Throws when the embedded one cannot be used. */
export function openStore({ store, dataDirectory, firestore }: StoreChoice): Store {
  if (store === 'embedded') return openEmbeddedStore({ directory: dataDirectory });
  return openFirestoreStore({ projectId: firestore.projectId, limiterTime: 'server' });
}

/** Peppers of API keys. All processes must hash alike; only one that shares a directory can be kept by the store itself. */
export function peppersOf(
  { peppers, store, dataDirectory, firestore }: StoreChoice & { readonly peppers: readonly Pepper[] },
  clock: Clock,
): readonly Pepper[] {
  if (peppers.length > 0) return peppers;
  if (store === 'embedded') return [localPepper(dataDirectory, clock)];
  if (firestore.emulatorHost !== '') return parsePeppers('for the emulator only');
  throw new SettingsError('KEY_PEPPER must be set: with STORE=firestore API keys cannot be hashed without it');
}

/** Secrets that seal router keys; empty where a deployment has not been given one. */
export function keyRingOf(
  { routerKeyRing, store, dataDirectory }: StoreChoice & { readonly routerKeyRing: KeyRing },
  clock: Clock,
): KeyRing {
  const usesLocal = routerKeyRing.length === 0 && store === 'embedded';
  return usesLocal ? localKeyRing(dataDirectory, clock) : routerKeyRing;
}
