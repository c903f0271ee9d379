import { admitCaller, answerOf, type LimitAnswer } from '../../access/guard';
import { isActivePro, requireByok, type Subscription } from '../../access/subscription';
import { leaseForRun } from '../../byok/grant';
import { routerModelRow, unlockRouterKey } from '../../byok/router';
import { isRefusal, type Refusal, refuse } from '../../errors';
import type { Catalog, ModelRow } from '../../models/catalog';
import { createGateway } from '../../models/gateway/gateway';
import type { ModelGateway } from '../../models/gateway/gateway-call';
import { type Admitted, admit, type RunRequest, reservationOf } from '../../runs/admit';
import type { Opened } from '../../runs/run-context';
import type { DashboardDeps, UserRequest } from '../deps';

/** Runs of the dashboard stand in the ledger under this name, as no API key made them. */
const KEY = { keyId: 'playground', keyName: 'Playground' } as const;

/** A run with the tokens of platform models that it is likely to take. */
interface Ready<Result> {
  readonly opened: Opened<Result>;
  readonly platformTokens: number;
}

/** A run that could be refused for its models. */
interface Prepared<Result> {
  readonly models: readonly ModelRow[];
  open(): Promise<Ready<Result> | Refusal>;
}

/** Admits a run of the dashboard. What is cheapest to refuse comes first (`docs/api.md`, Bring your own key). */
export async function admitOnPlayground<Result>(
  deps: DashboardDeps,
  request: UserRequest & { readonly endpoint: string },
  prepare: () => Promise<Prepared<Result> | Refusal>,
): Promise<Admitted<Result> | Refusal> {
  const { store, limiter } = deps;
  const { userId } = request;
  const subscription = await requireByok(store, userId);
  if (isRefusal(subscription)) return subscription;
  const blocked = limiter.blocked({ userId, ...KEY });
  const denied = blocked && answerOf(blocked, limiter.limit);
  if (isRefusal(denied)) return denied;
  const prepared = await prepare();
  if (isRefusal(prepared)) return prepared;
  const gateway = await gatewayFor(deps, userId, prepared.models);
  if (isRefusal(gateway)) return gateway;
  const ready = await prepared.open();
  return isRefusal(ready) ? ready : admitOnGrant({ ...deps, gateway }, { ...request, subscription }, ready);
}

/** Platform models as ever; router models, where there are any, through a gateway that alone knows the user's key. */
async function gatewayFor(
  deps: DashboardDeps,
  userId: string,
  models: readonly ModelRow[],
): Promise<ModelGateway | Refusal> {
  if (models.every(({ provider }) => provider !== 'router')) return deps.gateway;
  const key = await unlockRouterKey(deps, userId);
  if (isRefusal(key)) return key;
  const provider = deps.routerProvider(key);
  const router = createGateway({ clock: deps.clock, provider: () => provider });
  return { call: (call) => (call.model.provider === 'router' ? router : deps.gateway).call(call) };
}

/** Lets it in, its platform calls within the monthly grant where there is one. Refuses at the grant (403) and the limit (429). */
async function admitOnGrant<Result>(
  deps: DashboardDeps,
  { subscription, ...request }: Omit<RunRequest, 'caller'> & UserRequest & { readonly subscription: Subscription },
  { opened, platformTokens }: Ready<Result>,
): Promise<Admitted<Result> | Refusal> {
  // Only the bring-your-own-key plan has a grant: nothing limits the tokens of Pro.
  const grant = isActivePro(subscription) ? undefined : await leaseForRun(deps, request, platformTokens);
  if (isRefusal(grant)) return grant;
  const guard: DashboardDeps['guard'] = { ...deps.guard, admit: (...asked) => admitCaller(deps, ...asked) };
  const gateway = grant?.within(deps.gateway) ?? deps.gateway;
  const { budgetNanoUsd } = subscription;
  const caller = { userId: request.userId, ...KEY, ...(budgetNanoUsd !== undefined && { budgetNanoUsd }) };
  const run = { ...request, caller, onGrant: grant !== undefined };
  let admitted: Admitted<Result> | Refusal | undefined;
  try {
    admitted = await admit({ ...deps, guard, gateway }, run, opened);
    return admitted;
  } finally {
    // What was leased for a run that does not come about is given back.
    if (admitted === undefined || isRefusal(admitted)) await grant?.giveBack();
  }
}

/** Takes the slot of a run with files, before one is looked at: its admission needs what they hold. Refuses at the limit (429). */
export function admitFiles(deps: DashboardDeps, request: UserRequest): Promise<LimitAnswer> {
  const caller = { userId: request.userId, ...KEY };
  const reservation = reservationOf({ ...request, caller, endpoint: 'playground' }, null);
  return admitCaller({ limiter: deps.filesLimiter, serverBudget: deps.serverBudget }, caller, reservation);
}

/** Makes something with the deployment's catalog and the models of the router that the user has added; refuses others of it. */
export async function withUserModels<T>(
  { offeredModels, catalog, store }: Pick<DashboardDeps, 'offeredModels' | 'catalog' | 'store'>,
  userId: string,
  make: (catalog: Catalog) => Promise<T | Refusal> | T | Refusal,
): Promise<T | Refusal> {
  const added = await store.listRouterModels(userId);
  const rows = new Map(added.map(routerModelRow).map((row) => [row.id, row]));
  const isKnown = (id: string): boolean => catalog.takesAnyId || offeredModels.some((model) => model.id === id);
  const slugs = new Map(added.map(({ name, slug }) => [name.toLowerCase(), slug]));
  let unknown: string | undefined;
  const modelOf = (id: string): ModelRow => {
    const own = rows.get(id);
    if (!own && id.includes('/') && !isKnown(id)) unknown ??= id;
    return own ?? catalog.modelOf(id);
  };
  const modelIdOfName = (name: string): string => slugs.get(name.toLowerCase()) ?? catalog.modelIdOfName(name);
  const made = await make({ ...catalog, modelOf, modelIdOfName });
  if (isRefusal(made) || unknown === undefined) return made;
  return refuse('invalid_request', `Unknown model ${JSON.stringify(unknown)}: add it to your router models first`);
}
