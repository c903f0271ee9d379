/*
 * The dashboard's playground: the ensemble of the API, with the router models that a user has added, on that user's own
 * router key. Its runs go through `admit` and `run` like all others.
 */
import { readAttachments } from '../../byok/attachments';
import type { ByokStore, RouterModelRecord } from '../../byok/byok-store';
import { leaseForRun } from '../../byok/grant-lease';
import type { PdfReader } from '../../byok/pdf-text';
import { unlockRouterKey } from '../../byok/router-keys';
import { routerModelRow } from '../../byok/router-models';
import type { KeyRing } from '../../byok/secret-box';
import { type EnsembleResult, openEnsemble } from '../../ensemble/open-ensemble';
import type { Panel } from '../../ensemble/panel/panel';
import { type EnsemblePlan, planEnsemble } from '../../ensemble/plan-ensemble';
import type { EnsembleRequest } from '../../ensemble/run';
import { isRefusal, type Refusal, refuse } from '../../errors';
import { admitCaller, answerOf } from '../../guard/guard';
import type { Limiter } from '../../guard/limiter';
import type { ServerBudget } from '../../guard/server-budget';
import { isActivePro, requireByok, type SubscriptionStore } from '../../guard/subscription';
import type { ModelRow } from '../../models/catalog';
import { createGateway } from '../../models/gateway/gateway';
import type { ModelGateway } from '../../models/gateway/gateway-call';
import type { ModelProvider } from '../../models/model';
import { type Admitted, admit, type RunDeps, type RunRequest } from '../../runs/admit';
import type { EndpointDeps } from '../endpoint-deps';
import { ensembleRequest } from '../ensemble-options/ensemble-request';
import { refuseBlind } from '../ensemble-options/vision';
import type { PlaygroundFields } from './request';

/** What playground runs work with besides what endpoints do; made once by the composition root. */
export interface PlaygroundDeps extends EndpointDeps {
  readonly store: EndpointDeps['store'] & ByokStore & SubscriptionStore;
  readonly keyRing: KeyRing;
  readonly readPdf: PdfReader;
  /** Speaks to the router with one user's key. */
  readonly routerProvider: (apiKey: string) => ModelProvider;
  /** 10 runs in any 60 seconds per user, apart from the API's limit. */
  readonly limiter: Limiter;
  readonly serverBudget: ServerBudget;
  readonly suggestions: Suggestions;
}

/** What a first run in the playground may be tried with. */
export interface Suggestions {
  readonly prompts: readonly string[];
  /** Ids: a panel that shows something with them, and who writes the answer. */
  readonly participants: readonly string[];
  readonly arbiter: string;
  /** Whether all of them follow a script. */
  readonly scripted: boolean;
}

/** A run that a user of the dashboard asks for. */
export interface PlaygroundRequest extends Pick<RunRequest, 'id' | 'startedAtMs' | 'clientGone' | 'trace'> {
  readonly userId: string;
  readonly fields: PlaygroundFields;
}

/** Runs of the dashboard stand in the ledger under this name, as no API key made them. */
const KEY = { keyId: 'playground', keyName: 'Playground' } as const;

/** What such a run would call, cost and take, without its files: nothing is called or booked. For the same tiers. */
export async function planPlaygroundRun(
  deps: PlaygroundDeps,
  request: Pick<PlaygroundRequest, 'userId' | 'startedAtMs' | 'fields'>,
): Promise<EnsemblePlan | Refusal> {
  const { userId, startedAtMs } = request;
  const subscription = await requireByok(deps.store, userId);
  if (isRefusal(subscription)) return subscription;
  const ensemble = await playgroundEnsemble(deps, request);
  if (isRefusal(ensemble)) return ensemble;
  return planEnsemble(ensemble, { paces: deps.answerTimes.of(userId), atMs: startedAtMs });
}

/**
 * Admits a run, for the tiers `byok` and `pro`; on `byok`, calls of platform models count against the monthly grant.
 * Refuses in this order: no plan (403), known to be over the limit (429), models (400), router key (400), files (400),
 * grant (403), over the limit (429): no file is read for a run that could be refused without.
 */
export async function openPlaygroundRun(
  deps: PlaygroundDeps,
  request: PlaygroundRequest,
): Promise<Admitted<EnsembleResult> | Refusal> {
  const { store, clock, log, tellUnpriced, openRuns, memory, heavyWork, stopping, modelOutput, limiter } = deps;
  const { userId } = request;
  const subscription = await requireByok(store, userId);
  if (isRefusal(subscription)) return subscription;
  const blocked = limiter.blocked({ userId, ...KEY });
  const denied = blocked && answerOf(blocked, limiter.limit);
  if (isRefusal(denied)) return denied;
  const asked = await playgroundEnsemble(deps, request);
  if (isRefusal(asked)) return asked;
  if (request.fields.ai_ensemble.dryRun) {
    return refuse('invalid_request', 'Invalid ai_ensemble.dryRun: plans have a route of their own');
  }
  const gateway = await gatewayFor(deps, userId, asked.panel);
  if (isRefusal(gateway)) return gateway;
  const ensemble = await withFiles(asked, request, deps.readPdf);
  if (isRefusal(ensemble)) return ensemble;
  const opened = openEnsemble(ensemble, request.id, deps.answerTimes);
  // Only the bring-your-own-key plan has a grant: nothing limits the tokens of Pro.
  const grant = isActivePro(subscription) ? undefined : await leaseForRun(deps, request, ensemble);
  if (isRefusal(grant)) return grant;

  const guard: RunDeps['guard'] = {
    admit: (caller, reservation) => admitCaller(deps, caller, reservation),
  };
  const runDeps = {
    store,
    clock,
    log,
    openRuns,
    memory,
    heavyWork,
    tellUnpriced,
    stopping,
    modelOutput,
    guard,
    gateway: grant?.within(gateway) ?? gateway,
  };
  const { budgetNanoUsd } = subscription;
  const caller = { userId, ...KEY, ...(budgetNanoUsd !== undefined && { budgetNanoUsd }) };
  const run = { ...request, caller, endpoint: 'playground', onGrant: grant !== undefined };
  let admitted: Admitted<EnsembleResult> | Refusal | undefined;
  try {
    admitted = await admit(runDeps, run, opened);
    return admitted;
  } finally {
    // What was leased for a run that does not come about is given back.
    if (admitted === undefined || isRefusal(admitted)) await grant?.giveBack();
  }
}

/** Platform models as ever; router models, where a panel has any, through a gateway that alone knows the user's key. */
async function gatewayFor(
  deps: PlaygroundDeps,
  userId: string,
  { participants, arbiter }: Panel,
): Promise<ModelGateway | Refusal> {
  if ([...participants, arbiter].every(({ model }) => model.provider !== 'router')) return deps.gateway;
  const key = await unlockRouterKey(deps, userId);
  if (isRefusal(key)) return key;
  const provider = deps.routerProvider(key);
  const router = createGateway({ clock: deps.clock, provider: () => provider });
  return { call: (call) => (call.model.provider === 'router' ? router : deps.gateway).call(call) };
}

/** The ensemble that is asked for, without its files. Refuses unknown router models and models without vision by name. */
async function playgroundEnsemble(
  deps: PlaygroundDeps,
  { userId, fields }: Pick<PlaygroundRequest, 'userId' | 'fields'>,
): Promise<EnsembleRequest | Refusal> {
  const { catalog, unknownIds } = withRouterModels(deps, await deps.store.listRouterModels(userId));
  const ensemble = ensembleRequest({ ...deps, catalog }, fields);
  if (isRefusal(ensemble)) return ensemble;
  const [unknown] = unknownIds;
  if (unknown !== undefined) {
    return refuse('invalid_request', `Unknown model ${JSON.stringify(unknown)}: add it to your router models first`);
  }
  const hasImages = fields.attachments?.some(({ media_type: type }) => type.startsWith('image/')) ?? false;
  const refusal = hasImages ? refuseBlind(ensemble.panel, 'Image attachments') : undefined;
  if (refusal) return refusal;
  return ensemble;
}

/** The same with its files, which are read here: whatever can be refused without that was refused before. */
async function withFiles(
  ensemble: EnsembleRequest,
  { id, userId, fields }: Pick<PlaygroundRequest, 'id' | 'userId' | 'fields'>,
  readPdf: PdfReader,
): Promise<EnsembleRequest | Refusal> {
  const files = await readAttachments(fields.attachments ?? [], { requestId: id, userId, readPdf });
  if (isRefusal(files)) return files;
  const images = [...(ensemble.images ?? []), ...files.images];
  return {
    ...ensemble,
    ...(files.text !== '' && { message: `${ensemble.message}\n\n${files.text}` }),
    ...(images.length > 0 && { images }),
  };
}

/** The catalog with the user's router models first, and the ids of router models it was asked for in vain. */
function withRouterModels({ offeredModels, catalog }: PlaygroundDeps, added: readonly RouterModelRecord[]) {
  const rows = new Map([...offeredModels, ...added.map(routerModelRow)].map((row) => [row.id, row]));
  const slugs = new Map(added.map(({ name, slug }) => [name.toLowerCase(), slug]));
  const unknownIds = new Set<string>();
  const modelOf = (id: string): ModelRow => {
    const known = rows.get(id);
    if (!known && id.includes('/')) unknownIds.add(id);
    return known ?? catalog.modelOf(id);
  };
  const modelIdOfName = (name: string): string => slugs.get(name.toLowerCase()) ?? catalog.modelIdOfName(name);
  return { catalog: { ...catalog, modelOf, modelIdOfName }, unknownIds };
}
