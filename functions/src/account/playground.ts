import { type OpenRun, openRun, type RunRequest, type RunServices } from '../endpoints/open-run';
import { isRefusal, type Refusal } from '../errors';
import { answerOf } from '../guard/guard';
import type { Limiter } from '../guard/limiter';
import { isActivePro } from '../guard/subscription';
import type { GrantStore } from '../store/byok-store';
import type { LedgerStore, Subscription } from '../store/store';
import { leaseForRun, type RunGrant } from './grant-lease';
import { requireByok } from './plan';
import { type PlaygroundEnsembleDesk, playgroundEnsemble } from './playground-ensemble';
import { type PlaygroundGatewayDesk, playgroundGateway } from './playground-gateway';
import type { PlaygroundFields } from './playground-request';

/** What playground runs work with; made once by the composition root. */
export interface PlaygroundDesk extends PlaygroundEnsembleDesk, PlaygroundGatewayDesk {
  readonly store: PlaygroundEnsembleDesk['store'] & PlaygroundGatewayDesk['store'] & GrantStore & LedgerStore;
  readonly answerTimes: RunServices['answerTimes'];
  /** 10 runs in any 60 seconds per user, apart from the API's limit (spec "Limits"). */
  readonly limiter: Limiter;
}

/** Who wants a run of what. */
export interface PlaygroundRequest {
  /** 128-bit random: the ledger id. */
  readonly id: string;
  readonly userId: string;
  readonly startedAtMs: number;
  readonly fields: PlaygroundFields;
  /** Aborted when the user has left. */
  readonly clientGone: AbortSignal;
  /** Where its model calls are told. */
  readonly trace: RunRequest['trace'];
}

/** Runs of the dashboard are booked under this name, as no API key made them. */
const CALLER = { keyId: 'playground', keyName: 'Playground' } as const;

/**
 * Admits a run of the dashboard's playground: the engine of the API, with the router models that its user has added, on
 * that user's own router key. For the tiers `byok` and `pro`; on `byok`, calls of platform models count against the
 * monthly grant. Refuses in this order: no plan (403), known to be over the limit (429), models and files (400), router
 * key (400), grant (403), over the limit (429).
 */
export async function openPlaygroundRun(desk: PlaygroundDesk, request: PlaygroundRequest): Promise<OpenRun | Refusal> {
  const { id, userId, startedAtMs, fields, clientGone, trace } = request;
  const subscription = await requireByok(desk.store, userId);
  if (isRefusal(subscription)) return subscription;
  const denied = deniedFromMemory(desk, userId);
  if (denied) return denied;
  const ensemble = await playgroundEnsemble(desk, { id, userId, fields });
  if (isRefusal(ensemble)) return ensemble;
  const gateway = await playgroundGateway(desk, userId, ensemble.panel);
  if (isRefusal(gateway)) return gateway;
  const grant = await grantFor(subscription, () => leaseForRun(desk, request, ensemble));
  if (isRefusal(grant)) return grant;

  const { store, clock, log, answerTimes, limiter } = desk;
  const guard: RunServices['guard'] = {
    admit: async (_, reservation) => answerOf(await limiter.admit(reservation), limiter.limit),
  };
  const services = { store, clock, log, answerTimes, guard, gateway: grant?.within(gateway) ?? gateway };
  const caller = { userId, ...CALLER };
  const plan = { endpoint: 'playground', ensemble, onGrant: grant !== undefined };
  return givingBack(grant, () => openRun(services, { id, startedAtMs, caller, clientGone, trace }, plan));
}

function deniedFromMemory({ limiter }: PlaygroundDesk, userId: string): Refusal | undefined {
  const blocked = limiter.blocked(userId);
  const answer = blocked && answerOf(blocked, limiter.limit);
  return isRefusal(answer) ? answer : undefined;
}

/** Only the bring-your-own-key plan has a grant: nothing limits the tokens of Pro. */
async function grantFor(
  subscription: Subscription,
  lease: () => Promise<RunGrant | Refusal | undefined>,
): Promise<RunGrant | Refusal | undefined> {
  return isActivePro(subscription) ? undefined : lease();
}

/** What is leased for a run that does not come about is given back. */
async function givingBack(
  grant: RunGrant | undefined,
  open: () => Promise<OpenRun | Refusal>,
): Promise<OpenRun | Refusal> {
  let run: OpenRun | Refusal | undefined;
  try {
    run = await open();
    return run;
  } finally {
    if (run === undefined || isRefusal(run)) await grant?.giveBack();
  }
}
