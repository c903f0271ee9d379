import { isRefusal } from '../../errors';
import type { Reply } from '../../http/reply';
import type { AccountRequest, AccountRoute } from '../../http/route';
import { planBody } from '../answer/plan-body';
import { planPlaygroundRun } from '../playground/playground';
import type { PlaygroundDeps } from '../playground/playground-deps';
import { playgroundSchema } from '../playground/request';
import { readBody } from '../read-body';

/** The playground: runs of the user's own making. */
export function runRoutes(deps: PlaygroundDeps): AccountRoute[] {
  return [{ method: 'POST', path: '/dashboard/runs/plan', handle: (request) => plan(deps, request) }];
}

/** What a run would call, cost and take. Its files, of which the plan knows nothing, need not be sent. */
async function plan(deps: PlaygroundDeps, request: AccountRequest): Promise<Reply> {
  const fields = await readBody(request, playgroundSchema);
  if (isRefusal(fields)) return fields;
  const planned = await planPlaygroundRun(deps, { ...request, fields });
  return isRefusal(planned) ? planned : { body: planBody(planned) };
}
