import { admitCaller, answerOf, type LimitAnswer } from '../../access/guard';
import { isActivePro, requireByok, type Subscription } from '../../access/subscription';
import { leaseForRun } from '../../byok/grant';
import { routerModelRow, unlockRouterKey } from '../../byok/router';
import { isRefusal, type Refusal, refuse } from '../../errors';
import type { ModelRow } from '../../models/catalog';
import { createGateway } from '../../models/gateway/gateway';
import type { ModelGateway } from '../../models/gateway/gateway-call';
import { type Admitted, admit, type RunDeps, reservationOf } from '../../runs/admit';
import type { Opened } from '../../runs/run-context';
import type { PlaygroundDeps, UserRequest } from '../deps';

/** Runs of the dashboard stand in the ledger under this name, as no API key made them. */
const KEY = { keyId: 'playground', keyName: 'Playground' } as const;

export interface PlaygroundEntry<Result> {
  readonly subscription: Subscription;
  readonly gateway: ModelGateway;
  readonly opened: Opened<Result>;
  /** Tokens of platform models that it is likely to take. */
  readonly platformTokens: number;
}

/** The user's subscription; refuses who has none that opens the playground (403), and who is known to be over the limit (429). */
export async function playgroundUser(
  { store, limiter }: PlaygroundDeps,
  userId: string,
): Promise<Subscription | Refusal> {
  const subscription = await requireByok(store, userId);
  if (isRefusal(subscription)) return subscription;
  const blocked = limiter.blocked({ userId, ...KEY });
  const denied = blocked && answerOf(blocked, limiter.limit);
  return isRefusal(denied) ? denied : subscription;
}

/** Platform models as ever; router models, where there are any, through a gateway that alone knows the user's key. */
export async function playgroundGateway(
  deps: PlaygroundDeps,
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

/** Takes the slot of a run with files, before one is looked at: its admission needs what they hold. Refuses at the limit (429). */
export function admitFiles(deps: PlaygroundDeps, request: UserRequest): Promise<LimitAnswer> {
  const caller = { userId: request.userId, ...KEY };
  const reservation = reservationOf({ ...request, caller, endpoint: 'playground' }, null);
  return admitCaller({ limiter: deps.filesLimiter, serverBudget: deps.serverBudget }, caller, reservation);
}

/** Lets it in, its platform calls within the monthly grant where there is one. Refuses at the grant (403) and the limit (429). */
export async function admitOnPlayground<Result>(
  deps: PlaygroundDeps,
  request: UserRequest & { readonly endpoint: string },
  { subscription, gateway, opened, platformTokens }: PlaygroundEntry<Result>,
): Promise<Admitted<Result> | Refusal> {
  const { userId } = request;
  // Only the bring-your-own-key plan has a grant: nothing limits the tokens of Pro.
  const grant = isActivePro(subscription) ? undefined : await leaseForRun(deps, request, platformTokens);
  if (isRefusal(grant)) return grant;
  const runDeps: RunDeps = {
    ...deps,
    guard: { admit: (caller, reservation) => admitCaller(deps, caller, reservation) },
    gateway: grant?.within(gateway) ?? gateway,
  };
  const { budgetNanoUsd } = subscription;
  const caller = { userId, ...KEY, ...(budgetNanoUsd !== undefined && { budgetNanoUsd }) };
  const run = { ...request, caller, onGrant: grant !== undefined };
  let admitted: Admitted<Result> | Refusal | undefined;
  try {
    admitted = await admit(runDeps, run, opened);
    return admitted;
  } finally {
    // What was leased for a run that does not come about is given back.
    if (admitted === undefined || isRefusal(admitted)) await grant?.giveBack();
  }
}

/** The deployment's catalog with the router models that a user has added first. */
export async function userCatalog(
  { offeredModels, catalog, store }: Pick<PlaygroundDeps, 'offeredModels' | 'catalog' | 'store'>,
  userId: string,
) {
  const added = await store.listRouterModels(userId);
  const rows = new Map([...offeredModels, ...added.map(routerModelRow)].map((row) => [row.id, row]));
  const slugs = new Map(added.map(({ name, slug }) => [name.toLowerCase(), slug]));
  const unknownIds = new Set<string>();
  const modelOf = (id: string): ModelRow => {
    const known = rows.get(id);
    if (!known && id.includes('/')) unknownIds.add(id);
    return known ?? catalog.modelOf(id);
  };
  const modelIdOfName = (name: string): string => slugs.get(name.toLowerCase()) ?? catalog.modelIdOfName(name);
  return {
    catalog: { ...catalog, modelOf, modelIdOfName },
    /** A 400 where it was asked for a router model that the user has not added. */
    refuseUnknown: (): Refusal | undefined => {
      const [unknown] = unknownIds;
      if (unknown === undefined) return undefined;
      return refuse('invalid_request', `Unknown model ${JSON.stringify(unknown)}: add it to your router models first`);
    },
  };
}
