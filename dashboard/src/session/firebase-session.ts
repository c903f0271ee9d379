import {
  type Auth,
  browserPopupRedirectResolver,
  GoogleAuthProvider,
  isSignInWithEmailLink,
  onAuthStateChanged,
  sendSignInLinkToEmail,
  signInWithEmailLink,
  signInWithPopup,
  signOut,
  type User,
} from 'firebase/auth';
import type { ApiError } from '../api/api-error';
import type { Schema } from '../api/client';
import { confirmationOf } from './confirmation';
import { forgetAddress, linkTarget, rememberAddress, rememberedAddress, withoutLink } from './email-link';
import { openFirebase } from './firebase-app';
import type { Confirmation, Session, SignInState, SignInWays } from './session';
import { endsSignIn, inWords, signInError } from './sign-in-error';
import { streamServer } from './stream-server';

/** The session of whoever signs in with Firebase: with Google, or with a link by e-mail. */
export async function firebaseSession(config: Schema<'DashboardConfig'>, baseUrl: string): Promise<Session> {
  const { auth, appCheck } = await openFirebase(config);
  const listeners = new Set<() => void>();
  let state: SignInState = { is: 'unknown' };
  let confirmation: Confirmation | undefined;
  let confirming: Promise<boolean> | undefined;
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const become = (next: SignInState): void => {
    state = next;
    changed();
  };

  const sendLink = async (email: string): Promise<void> => {
    await inWords(() => sendSignInLinkToEmail(auth, email, { url: linkTarget(), handleCodeInApp: true }));
    rememberAddress(email);
  };
  const link = openedLink(auth);
  const finishLink = async (email: string): Promise<void> => {
    await inWords(() => signInWithEmailLink(auth, email, link));
    forgetAddress();
    if (auth.currentUser) become(stateOf(auth.currentUser));
  };
  const ways: SignInWays = {
    withGoogle: async () => {
      await inWords(() => signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver));
    },
    sendLink,
    finishLink,
    signOut: () => inWords(() => signOut(auth)),
    confirmation: () => confirmation,
  };

  /** One dialog for all requests that wait for it. */
  const confirm = async (user: User): Promise<boolean> => {
    let done: (confirmed: boolean) => void = () => {};
    const answered = new Promise<boolean>((resolve) => {
      done = resolve;
    });
    confirmation = await confirmationOf({ user, sendLink, done });
    changed();
    const isConfirmed = await answered;
    confirmation = undefined;
    changed();
    if (isConfirmed) await inWords(() => user.getIdToken(true));
    return isConfirmed;
  };

  /** The proof of who is signed in, '' where nobody is. Where Firebase refuses it for good, nobody is from now on. */
  const token = async (kind: 'any' | 'new'): Promise<string> => {
    try {
      return (await auth.currentUser?.getIdToken(kind === 'new')) ?? '';
    } catch (error) {
      const reason = signInError(error);
      if (endsSignIn(reason)) await end(reason);
      throw reason;
    }
  };
  const end = async (reason: ApiError): Promise<void> => {
    // Where the browser cannot forget the user, Firebase refuses them again with the next load of the page.
    await signOut(auth).catch(() => {});
    become({ is: 'nobody', reason });
  };

  const begun = link === '' ? undefined : await beginWith(rememberedAddress(), finishLink);
  // What the link has begun stands until somebody is signed in.
  onAuthStateChanged(auth, (user) => {
    if (!user) confirmation?.cancel();
    if (state.is === 'unknown' && begun) return become(begun);
    // Why nobody is signed in any more stays said.
    if (!user && state.is === 'nobody') return;
    become(stateOf(user));
  });

  return {
    mode: 'firebase',
    baseUrl,
    hasRunLinks: config.runLinks ?? true,
    streamServer: streamServer({ page: location.origin, api: config.apiBaseUrl?.replace(/\/v1$/, '') }),
    ways,
    state: () => state,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    proof: async () => ({ ...bearer(await token('any')), ...(await appCheck?.proof()) }),
    renewApp: async () => (await appCheck?.renew()) ?? false,
    refused: async (time) => {
      // Where Firebase cannot be reached, it is as before.
      if (time === 'first') return (await token('new').catch(() => '')) !== '';
      if (auth.currentUser) await end(signInError({ code: 'auth/user-token-expired' }));
      return false;
    },
    signInAgain: async () => {
      const user = auth.currentUser;
      if (!user) return false;
      confirming ??= confirm(user).finally(() => {
        confirming = undefined;
      });
      return confirming;
    },
  };
}

/** The link that has led to this page, or ''. Its code leaves the address, and so the history, at once. */
function openedLink(auth: Auth): string {
  const { href } = location;
  if (!isSignInWithEmailLink(auth, href)) return '';
  history.replaceState(history.state, '', withoutLink(href));
  return href;
}

/** The outcome of a link: undefined where it has signed its reader in. */
async function beginWith(
  email: string | undefined,
  finish: (email: string) => Promise<void>,
): Promise<SignInState | undefined> {
  if (email === undefined) return { is: 'link' };
  try {
    await finish(email);
    return undefined;
  } catch (error) {
    return { is: 'nobody', reason: error instanceof Error ? error : signInError(error) };
  }
}

function stateOf(user: User | null): SignInState {
  if (!user) return { is: 'nobody' };
  return { is: 'somebody', account: { id: user.uid, name: user.email ?? user.displayName ?? user.uid } };
}

function bearer(token: string): Readonly<Record<string, string>> {
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}
