import type { AccountRoute, ApiRequest, Route } from '../http/route';
import { countTokens, createMessage } from './anthropic/messages';
import { getAnthropicModel, listAnthropicModels } from './anthropic/models';
import {
  getDashboardConfig,
  getLastStudy,
  getPlan,
  listActs,
  listPlatformModels,
  signOutEverywhere,
} from './dashboard/account';
import { judge } from './dashboard/evaluations';
import { KEY_OPERATIONS } from './dashboard/keys';
import { PRESET_OPERATIONS } from './dashboard/presets';
import { listRequests } from './dashboard/requests';
import { ROUTER_OPERATIONS } from './dashboard/router';
import { rateRun } from './dashboard/run-rating';
import { RUN_OPERATIONS } from './dashboard/runs';
import { LINK_OPERATIONS, readSharedRun } from './dashboard/shared-runs';
import { listMonths } from './dashboard/usage';
import type { DashboardDeps, EndpointDeps } from './deps';
import { postMcpMessage } from './mcp/mcp';
import { getDescription, getHealth, getHome } from './open';
import { createOpenAiChatCompletion } from './openai/chat-completions';
import { getOpenAiModel, listOpenAiModels } from './openai/models';
import { createOpenAiResponse } from './openai/responses/create-response';
import { type AccountOperation, type Described, type KeyOperation, placeOf } from './shared/operation';
import { createChatCompletion } from './v1/chat-completions';
import { createEvaluation } from './v1/evaluations';
import { getModel, listModels } from './v1/models';
import { createResponse } from './v1/responses';
import { getRunEvents } from './v1/run-events';
import { getUsage } from './v1/usage';

/** Operations that run models, which repeat their reply where a request comes again with the same key. */
const MODEL_OPERATIONS: readonly KeyOperation[] = [
  createChatCompletion,
  createResponse,
  createEvaluation,
  createOpenAiChatCompletion,
  createOpenAiResponse,
  createMessage,
];
const READ_OPERATIONS: readonly KeyOperation[] = [
  getRunEvents,
  getUsage,
  listModels,
  getModel,
  listOpenAiModels,
  getOpenAiModel,
  countTokens,
  listAnthropicModels,
  getAnthropicModel,
  postMcpMessage,
];
const ACCOUNT_OPERATIONS: readonly AccountOperation[] = [
  ...KEY_OPERATIONS,
  getPlan,
  getLastStudy,
  listMonths,
  listRequests,
  ...ROUTER_OPERATIONS,
  listPlatformModels,
  ...LINK_OPERATIONS,
  ...RUN_OPERATIONS,
  ...PRESET_OPERATIONS,
  rateRun,
  judge,
  listActs,
  signOutEverywhere,
];

/** All that the document tells of. */
export const OPERATIONS: readonly Described[] = [
  ...MODEL_OPERATIONS,
  ...READ_OPERATIONS,
  getDescription,
  getHealth,
  getHome,
  getDashboardConfig,
  readSharedRun,
  ...ACCOUNT_OPERATIONS,
];

/** Routes for callers with a key; `idempotent` wraps those that run models. */
export function keyRoutes(deps: EndpointDeps, idempotent: (route: Route) => Route): Route[] {
  const routeOf = ({ endpoint, limited = false, handle, ...operation }: KeyOperation) => {
    const place = placeOf(operation) as Pick<Route, 'method' | 'path'>;
    return { ...place, endpoint, limited, handle: (request: ApiRequest) => handle(deps, request) };
  };
  return [...MODEL_OPERATIONS.map((operation) => idempotent(routeOf(operation))), ...READ_OPERATIONS.map(routeOf)];
}

/** Routes of the dashboard: what a user may see and change of their own account, and of nobody else's. */
export function accountRoutes(deps: DashboardDeps): AccountRoute[] {
  const served = deps.endSessions ? ACCOUNT_OPERATIONS : ACCOUNT_OPERATIONS.filter((one) => one !== signOutEverywhere);
  return served.map(({ recent, handle, ...operation }) => {
    const place = placeOf(operation) as Pick<AccountRoute, 'method' | 'path'>;
    return { ...place, ...(recent && { recent }), handle: (request) => handle(deps, request) };
  });
}
