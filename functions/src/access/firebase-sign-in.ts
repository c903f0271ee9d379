import { type ErrorCode, type Refusal, refuse } from '../errors';
import { loadOnce } from '../lib/lazy';
import type { SignIn } from './sign-in';

export interface VerifiedToken {
  readonly uid: string;
  /** Time of its user's last sign-in, Unix seconds. */
  readonly auth_time: number;
}

export interface TokenChecks {
  verifyIdToken(token: string, checkRevoked: boolean): Promise<VerifiedToken>;
  verifyAppCheck(token: string): Promise<unknown>;
  endSessions(userId: string): Promise<void>;
}

export interface FirebaseSignInOptions {
  readonly checks: () => Promise<TokenChecks>;
  /** Requires that a request comes from an app that App Check knows. */
  readonly appCheck: boolean;
}

const BEARER = /^bearer +(\S{1,8192})$/i;
const APP_CHECK_HEADER = 'x-firebase-appcheck';

/** Firebase's words for a token that is none, of another project, expired or revoked, and for a user who is gone. */
const BAD_TOKENS: readonly (readonly [ErrorCode, RegExp])[] = [
  [
    'not_signed_in',
    /^auth\/(?:argument-error|invalid-id-token|invalid-argument|id-token-expired|id-token-revoked|user-disabled|user-not-found)$/,
  ],
  ['app_check_required', /^app-check\/(?:invalid-argument|app-check-token-expired|invalid-credential)$/],
];

/** Reads the ID token that the page sends; asks Firebase only where the sign-in must be recent, since that costs a call. */
export function firebaseSignIn({ checks, appCheck }: FirebaseSignInOptions): SignIn {
  return async ({ headers, recent }) => {
    const token = BEARER.exec(headers['authorization']?.toString() ?? '')?.[1];
    const appToken = headers[APP_CHECK_HEADER]?.toString();
    if (token === undefined) return refuse('not_signed_in');
    if (appCheck && appToken === undefined) return refuse('app_check_required');
    const { verifyIdToken, verifyAppCheck } = await checks();
    const [user, app] = await Promise.allSettled([
      verifyIdToken(token, recent),
      appCheck && appToken !== undefined ? verifyAppCheck(appToken) : undefined,
    ]);
    // Who nobody knows is told that first.
    if (user.status === 'rejected') return refusalOf(user.reason);
    if (app.status === 'rejected') return refusalOf(app.reason);
    return { userId: user.value.uid, signedInAtMs: user.value.auth_time * 1000 };
  };
}

/** The checks of a project's own Firebase Auth; with `FIREBASE_AUTH_EMULATOR_HOST` set, of the emulator. */
export function firebaseChecks(projectId: string): () => Promise<TokenChecks> {
  return loadOnce(async () => {
    const [{ initializeApp }, { getAuth }, { getAppCheck }] = await Promise.all([
      import('firebase-admin/app'),
      import('firebase-admin/auth'),
      import('firebase-admin/app-check'),
    ]);
    const app = initializeApp({ projectId }, 'sign-in');
    return {
      verifyIdToken: (token, checkRevoked) => getAuth(app).verifyIdToken(token, checkRevoked),
      verifyAppCheck: (token) => getAppCheck(app).verifyToken(token),
      endSessions: (userId) => getAuth(app).revokeRefreshTokens(userId),
    };
  });
}

/** Throws what is no word about a token, such as a failure of the network. */
function refusalOf(error: unknown): Refusal {
  const { code } = (typeof error === 'object' && error !== null ? error : {}) as { readonly code?: unknown };
  const known = typeof code === 'string' ? BAD_TOKENS.find(([, words]) => words.test(code)) : undefined;
  if (!known) throw error;
  return refuse(known[0]);
}
