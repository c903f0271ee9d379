import { type Refusal, refuse } from '../errors';

/** Facts of a request to the dashboard before its user is known. */
export interface SignInAttempt {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly httpVersion: string;
  readonly remoteAddress: string | undefined;
  /** Requires a recent sign-in, which is checked where it was made. */
  readonly recent: boolean;
}

export interface SignedIn {
  readonly userId: string;
  readonly signedInAtMs: number;
}

export type EndSessions = (userId: string) => Promise<void>;

export type SignIn = (attempt: SignInAttempt) => Promise<SignedIn | Refusal>;

/** Sign-in and, where users sign in at all, the end of all their sessions. */
export interface Sessions {
  readonly signIn: SignIn;
  readonly endSessions?: EndSessions;
}

const RECENT_MS = 5 * 60_000;

export function requireRecent({ signedInAtMs }: SignedIn, nowMs: number): Refusal | undefined {
  return nowMs - signedInAtMs > RECENT_MS ? refuse('recent_login_required') : undefined;
}
