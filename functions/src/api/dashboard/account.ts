import type { AccountRoute } from '../../http/route';
import { isoTime } from '../../lib/iso-time';
import { platformModels } from '../models';
import type { PlaygroundDeps } from '../playground/playground-deps';
import type { AccountDeps } from './account-deps';

/** What is shown of the audit trail. */
const ACTS_MAX = 200;

/** `GET /dashboard/models`: the models that the deployment offers, as `GET /v1/models` describes them, and what to try. */
export function modelsRoute(deps: AccountDeps & Pick<PlaygroundDeps, 'suggestions'>): AccountRoute {
  return {
    method: 'GET',
    path: '/dashboard/models',
    handle: async ({ startedAtMs }) => ({
      body: { models: platformModels(deps, startedAtMs), suggestions: deps.suggestions },
    }),
  };
}

/** `GET /dashboard/audit`: the newest of what was done to the user's account, by whom and from which network. */
export function auditRoute({ store }: AccountDeps): AccountRoute {
  return {
    method: 'GET',
    path: '/dashboard/audit',
    handle: async ({ userId }) => {
      const acts = await store.listActs({ userId, sinceMs: 0, max: ACTS_MAX });
      const body = acts.map(({ actId, atMs, actor, name, target, details }) => {
        const { network = null, ...rest } = details;
        return { id: actId, at: isoTime(atMs), by: actor, what: name, target, network, details: rest };
      });
      return { body: { acts: body } };
    },
  };
}
