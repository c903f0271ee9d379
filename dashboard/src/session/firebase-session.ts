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
import type { Schema } from '../api/client';
import { confirmationOf } from './confirmation';
import { forgetAddress, linkTarget, rememberAddress, rememberedAddress, withoutLink } from './email-link';
import { openFirebase } from './firebase-app';
import type { Confirmation, Session, SignInState, SignInWays } from './session';
import { inWords, signInError } from './sign-in-error';
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
    streamServer: streamServer({ page: location.origin, api: config.apiBaseUrl?.replace(/\/v1$/, '') }),
    ways,
    state: () => state,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    proof: async () => ({ ...(await bearer(auth)), ...(await inWords(appCheck)) }),
    refused: async (time) => {
      const user = auth.currentUser;
      if (!user) return false;
      try {
        if (time === 'first') return (await user.getIdToken(true)) !== '';
        await signOut(auth);
      } catch {
        // Where the sign-in was ended elsewhere, Firebase refuses and signs out here, too; else it cannot be reached.
      }
      if (!auth.currentUser) become({ is: 'nobody', reason: signInError({ code: 'auth/user-token-expired' }) });
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

/** What a link comes to: undefined where it has signed its reader in. */
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

async function bearer(auth: Auth): Promise<Readonly<Record<string, string>>> {
  const token = await inWords(async () => auth.currentUser?.getIdToken());
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
