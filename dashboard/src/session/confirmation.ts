import type { User } from 'firebase/auth';
import { browserPopupRedirectResolver, GoogleAuthProvider, reauthenticateWithPopup } from 'firebase/auth';
import type { Confirmation } from './session';
import { inWords } from './sign-in-error';

interface ConfirmationOptions {
  readonly user: User;
  readonly sendLink: (email: string) => Promise<void>;
  /** Told whether the user has shown who they are. */
  readonly done: (confirmed: boolean) => void;
}

/** Asks the user who is signed in to show it again. */
export async function confirmationOf({ user, sendLink, done }: ConfirmationOptions): Promise<Confirmation> {
  const before = await signedInAt(user);
  const email = user.email ?? undefined;
  return {
    hasGoogle: user.providerData.some(({ providerId }) => providerId === GoogleAuthProvider.PROVIDER_ID),
    email,
    withGoogle: async () => {
      const provider = new GoogleAuthProvider();
      if (email) provider.setCustomParameters({ login_hint: email });
      await inWords(() => reauthenticateWithPopup(user, provider, browserPopupRedirectResolver));
      done(true);
    },
    sendLink: () => sendLink(email ?? ''),
    look: async () => {
      // Firebase brings what another window has signed in with into this one. A new token must not be asked for before
      // that: it would be made from the old sign-in, and overwrite the new one.
      if ((await signedInAt(user)) > before) done(true);
    },
    cancel: () => done(false),
  };
}

async function signedInAt(user: User): Promise<number> {
  const { claims } = await user.getIdTokenResult();
  return Number(claims.auth_time ?? 0);
}
