/*
 * Which adapter a setting means: the store, its secrets, the log. May import everything below; the container wires what
 * is picked here.
 */

import { type Pepper, parsePeppers } from './access/api-key';
import { firebaseChecks, firebaseSignIn } from './access/firebase-sign-in';
import type { Sessions } from './access/sign-in';
import type { KeyRing } from './byok/secret-box';
import type { Config } from './config';
import { refuse } from './errors';
import { localSignIn } from './http/local-sign-in';
import { type Clock, systemClock } from './lib/clock';
import { createLog, type Log } from './lib/log';
import { SettingsError } from './lib/settings-reader';
import { openEmbeddedStore } from './store/embedded/embedded-store';
import { localKeyRing, localPepper } from './store/embedded/local-secrets';
import { openFirestoreStore } from './store/firestore/firestore-store';
import type { Store } from './store/store';

/** The log of a process with these settings. */
export function logOf({ logLevel, logFormat, cloud }: Config): Log {
  const format = logFormat ?? (process.stdout.isTTY ? 'text' : 'json');
  return createLog(logLevel, undefined, { format, cloud, nowMs: systemClock.nowMs });
}

/** Opens the store that `STORE` names. Throws when the embedded one cannot be used. */
export function openStore({ store, dataDirectory, firestore }: Config): Store {
  if (store === 'embedded') return openEmbeddedStore({ directory: dataDirectory });
  return openFirestoreStore({ projectId: firestore.projectId, limiterTime: 'server' });
}

/** Who a server on somebody's own machine is used by; `npm start` makes this user. */
const LOCAL_USER = 'demo';

/** How users of the dashboard sign in, and how they end their sessions where they have any; where it is off, nobody can. */
export function sessionsOf({ dashboard: { users, secret, appCheck }, firestore }: Config, clock: Clock): Sessions {
  if (users === 'local') return { signIn: localSignIn(LOCAL_USER, secret, clock) };
  if (users === 'nobody') return { signIn: async () => refuse('not_signed_in') };
  const checks = firebaseChecks(firestore.projectId);
  const endSessions = async (userId: string) => (await checks()).endSessions(userId);
  return { signIn: firebaseSignIn({ checks, appCheck }), endSessions };
}

/** All processes must hash keys alike; only where they share a directory can the store itself keep the secret. */
export function peppersOf({ peppers, store, dataDirectory, firestore }: Config, clock: Clock): readonly Pepper[] {
  if (peppers.length > 0) return peppers;
  if (store === 'embedded') return [localPepper(dataDirectory, clock)];
  if (firestore.emulatorHost !== '') return parsePeppers('for the emulator only');
  throw new SettingsError('KEY_PEPPER must be set: with STORE=firestore API keys cannot be hashed without it');
}

/** What router keys are sealed under; empty where a deployment has not been given one. */
export function keyRingOf({ routerKeyRing, store, dataDirectory }: Config, clock: Clock): KeyRing {
  const usesLocal = routerKeyRing.length === 0 && store === 'embedded';
  return usesLocal ? localKeyRing(dataDirectory, clock) : routerKeyRing;
}
