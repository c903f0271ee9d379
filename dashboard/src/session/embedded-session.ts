import type { Schema } from '../api/client';
import type { Session, SignInState } from './session';

/** The session of a server that listens for this machine alone: its one user is whoever has opened its link. */
export function embeddedSession({ runLinks = true }: Schema<'DashboardConfig'>, baseUrl: string): Session {
  const callbacks = new Set<() => void>();
  let state: SignInState = { is: 'somebody', account: { id: 'demo', name: 'demo' } };
  return {
    mode: 'embedded',
    baseUrl,
    hasRunLinks: runLinks,
    streamServer: async () => location.origin,
    state: () => state,
    onChange: (callback) => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    },
    // No form and no page of another origin can send this header without being asked first, and refused. The cookie that the
    // link has left is out of the page's reach.
    proof: async () => ({ 'x-dashboard': '1' }),
    renewApp: async () => false,
    refused: async () => {
      state = { is: 'nobody' };
      for (const callback of callbacks) callback();
      return false;
    },
    signInAgain: async () => true,
  };
}
