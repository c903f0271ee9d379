import type { AccountRoute } from '../../http/route';
import type { PlaygroundDeps } from '../playground/playground-deps';
import { auditRoute, modelsRoute } from './account';
import type { AccountDeps } from './account-deps';
import { evaluationRoute } from './evaluations';
import { keyRoutes } from './keys';
import { monthsRoute } from './months';
import { planRoute } from './plan';
import { routerRoutes } from './router';
import { runRoutes } from './runs';
import { sessionRoutes } from './sessions';

/** All routes of the dashboard: what a user may see and change of their own account, and of nobody else's. */
export function accountRoutes(deps: AccountDeps & PlaygroundDeps): AccountRoute[] {
  return [
    ...keyRoutes(deps),
    planRoute(deps),
    monthsRoute(deps),
    ...routerRoutes(deps),
    modelsRoute(deps),
    auditRoute(deps),
    ...runRoutes(deps),
    evaluationRoute(deps),
    ...sessionRoutes(deps),
  ];
}
