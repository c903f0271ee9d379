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
import { type StudyDeps, studyRoute } from './study';

/** All routes of the dashboard: what a user may see and change of their own account, and of nobody else's. */
export function accountRoutes(deps: AccountDeps & PlaygroundDeps & StudyDeps): AccountRoute[] {
  return [
    ...keyRoutes(deps),
    planRoute(deps),
    monthsRoute(deps),
    ...routerRoutes(deps),
    modelsRoute(deps),
    auditRoute(deps),
    ...runRoutes(deps),
    evaluationRoute(deps),
    studyRoute(deps),
    ...sessionRoutes(deps),
  ];
}
