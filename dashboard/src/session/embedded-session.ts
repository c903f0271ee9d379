import type { Session, SignInState } from './session';

const STATE: SignInState = { is: 'somebody', account: { id: 'demo', name: 'demo' } };

/** The session of a server that listens for this machine alone: whoever sits here is its one user. */
export function embeddedSession(baseUrl: string): Session {
  return {
    mode: 'embedded',
    baseUrl,
    streamServer: async () => location.origin,
    state: () => STATE,
    onChange: () => () => {},
    // No form and no page of another origin can send this header without being asked first, and refused.
    proof: async () => ({ 'x-dashboard': '1' }),
    renewApp: async () => false,
    refused: async () => false,
    signInAgain: async () => true,
  };
}
