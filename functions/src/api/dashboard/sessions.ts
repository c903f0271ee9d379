import { byUser, newAct } from '../../access/act';
import type { EndSessions } from '../../access/sign-in';
import type { AccountRoute } from '../../http/route';
import { isoTime } from '../../lib/iso-time';
import type { AccountDeps } from './account-deps';

/** `POST /dashboard/sign-out-everywhere`; where nobody signs in there is no such route. */
export function sessionRoutes(deps: AccountDeps): AccountRoute[] {
  return deps.endSessions ? [signOutEverywhere(deps, deps.endSessions)] : [];
}

function signOutEverywhere({ store, clock }: AccountDeps, endSessions: EndSessions): AccountRoute {
  return {
    method: 'POST',
    path: '/dashboard/sign-out-everywhere',
    handle: async ({ userId, network }) => {
      await endSessions(userId);
      const act = newAct(clock, { name: 'sessions.end', userId, ...byUser({ network }) });
      await store.recordAct(act);
      return { body: { endedAt: isoTime(act.atMs) } };
    },
  };
}
