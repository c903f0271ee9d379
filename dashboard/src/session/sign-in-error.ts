import { ApiError } from '../api/api-error';

const AGAIN = 'Ask for a new one.';
const ENDED = 'Your sign-in was ended, here or in another browser. Sign in again.';
const OTHER = 'Signing in did not work. Try again, or use the other way.';

/** The meaning of Firebase's codes, and what to do. */
const WORDS: Readonly<Record<string, string>> = {
  'auth/popup-blocked':
    'The browser has blocked Google’s window. Press the button again; if nothing opens, allow pop-ups for this page.',
  'auth/popup-closed-by-user': 'Google’s window was closed before you were signed in.',
  'auth/cancelled-popup-request': 'Another Google window was opened meanwhile. Continue in that one.',
  'auth/network-request-failed': 'The sign-in service cannot be reached. Check the connection, then try again.',
  'auth/timeout': 'The sign-in service did not answer in time. Try again.',
  'auth/internal-error': 'Google’s window could not be opened. Try again, or use a link by e-mail.',
  'auth/invalid-action-code': `This link has been used already, or was replaced by a newer one. ${AGAIN}`,
  'auth/expired-action-code': `This link is too old. ${AGAIN}`,
  'auth/invalid-email': 'This is not the address that the link was sent to, or it is no e-mail address.',
  'auth/missing-email': 'Enter an e-mail address.',
  'auth/too-many-requests': 'There were too many attempts. Wait a few minutes, then try again.',
  'auth/quota-exceeded': 'No more e-mails can be sent today. Sign in with Google, or try again tomorrow.',
  'auth/user-disabled': 'This account is disabled. Ask the operator of this service.',
  'auth/user-mismatch': 'That is another account than the one that is signed in. Choose the same one.',
  'auth/user-token-expired': ENDED,
  'auth/invalid-refresh-token': ENDED,
  'auth/operation-not-allowed':
    'This way of signing in is switched off here. Use the other one, or ask the operator of this service.',
  'auth/admin-restricted-operation': 'New accounts are not allowed here. Ask the operator of this service.',
  'auth/unauthorized-domain': 'Signing in is not allowed from this address. Ask the operator of this service.',
  'auth/unauthorized-continue-uri': 'Signing in is not allowed from this address. Ask the operator of this service.',
  'auth/account-exists-with-different-credential':
    'This address signs in in another way. Use a link by e-mail instead.',
};

/** An error of Firebase's in words for people. */
export function signInError(error: unknown): ApiError {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  const type = typeof code === 'string' ? code : 'unknown';
  return new ApiError(WORDS[type] ?? OTHER, { status: 0, type });
}

/** With these Firebase refuses to prove any more who is signed in, however often it is asked. */
const ENDING: ReadonlySet<string> = new Set([
  'auth/user-disabled',
  'auth/user-token-expired',
  'auth/invalid-refresh-token',
]);

/** True if whoever was signed in is no longer, as against a failure that may pass. */
export function endsSignIn({ type }: ApiError): boolean {
  return ENDING.has(type);
}

/** Runs something of Firebase's; rejects with words for people. */
export async function inWords<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (error) {
    throw signInError(error);
  }
}
