import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Confirmation, Session, SignInState } from './session';

/** The session of the page. */
export const SessionContext = createContext<Session | undefined>(undefined);

/** The session of the page. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('No SessionContext around this component');
  return session;
}

/** True if runs can be shared by links; false for those who have come by one, too. */
export function useHasRunLinks(): boolean {
  return useContext(SessionContext)?.hasRunLinks ?? false;
}

/** The state of the sign-in, as it changes. */
export function useSignIn(): SignInState {
  const session = useSession();
  return useSyncExternalStore(session.onChange, session.state);
}

/** Set while whoever is signed in is being asked to show it again. */
export function useConfirmation(): Confirmation | undefined {
  const { onChange, ways } = useSession();
  return useSyncExternalStore(onChange, () => ways?.confirmation());
}
