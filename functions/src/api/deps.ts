/*
 * The operations of the API, a file each: method and path, schemas of body and reply, handler. The document is derived
 * from them. May import everything below; must not call a model.
 */
import type { ActStore } from '../access/act';
import type { BudgetStore, ServerBudget } from '../access/budget';
import type { Guard } from '../access/guard';
import type { KeyDeps } from '../access/keys';
import type { Limiter } from '../access/limiter';
import type { RateLimit } from '../access/rate-limit';
import type { EndSessions } from '../access/sign-in';
import type { SubscriptionStore } from '../access/subscription';
import type { ByokStore, RouterModelStore } from '../byok/byok-store';
import type { PdfReader } from '../byok/pdf-text';
import type { RouterDeps } from '../byok/router';
import type { AnswerTimes } from '../ensemble/deadline/answer-times';
import type { AccountRequest } from '../http/route';
import type { LedgerStore } from '../ledger/ledger-store';
import type { RequestLogStore } from '../ledger/request-log';
import type { UsageStore } from '../ledger/usage-store';
import type { Catalog } from '../models/catalog';
import type { ModelProvider } from '../models/model';
import type { OfferedModels } from '../models/offered-models';
import type { ModelChoice } from '../models/own-server';
import type { RunDeps, RunRequest } from '../runs/admit';
import type { KeptRuns } from '../runs/kept-runs';
import type { PresetStore } from '../runs/preset-store';
import type { RunStore } from '../runs/run-store';
import type { TurnStore } from '../runs/turn-store';
import type { ReplyTimes } from './answer/reply-times';
import type { LastStudy } from './shared/last-study';
import type { Suggestions } from './shared/suggestions';

/** Services that the operations of `/v1` work with; made once by the composition root. */
export interface EndpointDeps extends RunDeps, OfferedModels {
  /** Models to choose from, with those that a server of one's own lists. */
  readonly modelChoice: () => Promise<ModelChoice>;
  readonly replyTimes: ReplyTimes;
  readonly guard: Pick<Guard, 'admit' | 'count'>;
  /** Pace of each model, as this process has seen it. */
  readonly answerTimes: AnswerTimes;
  readonly store: LedgerStore & UsageStore & TurnStore & Pick<RouterModelStore, 'listRouterModels'>;
  /** Runs that users may come back to. */
  readonly keptRuns: KeptRuns;
  /** Secret behind labels and orders in judges' prompts. */
  readonly labelKey: Uint8Array;
  /** Secret behind the ids of users' turns. */
  readonly turnKey: Uint8Array;
  readonly catalog: Catalog;
}

/** Services that the dashboard's operations work with. */
export interface DashboardDeps extends EndpointDeps, KeyDeps, RouterDeps {
  readonly store: EndpointDeps['store'] &
    RequestLogStore &
    KeyDeps['store'] &
    RouterDeps['store'] &
    ByokStore &
    SubscriptionStore &
    PresetStore &
    RunStore &
    ActStore &
    BudgetStore;
  readonly clock: EndpointDeps['clock'];
  readonly log: EndpointDeps['log'];
  readonly readPdf: PdfReader;
  /** Provider that speaks to the router with one user's key. */
  readonly routerProvider: (apiKey: string) => ModelProvider;
  /** 10 runs in any 60 seconds per user, apart from the API's limit. */
  readonly limiter: Limiter;
  /** 10 runs with files in any 60 seconds, counted before a file is read, also where it is refused. */
  readonly filesLimiter: Limiter;
  readonly serverBudget: ServerBudget;
  /** False where the deployment has no links to runs: those that were made lead nowhere then. */
  readonly runLinks: boolean;
  /** Absent where nobody signs in. */
  readonly endSessions?: EndSessions;
  /** Requests of a user on Pro to `/v1`, and runs with router models. */
  readonly limits: { readonly api: RateLimit; readonly byok: RateLimit };
  readonly suggestions: Suggestions;
  /** Summary that `npm run quality` left of the last study; null where it left none. */
  readonly readLastStudy: () => Promise<LastStudy | null>;
}

/** Request of a user of the dashboard, as far as a run needs it. */
export interface UserRequest extends Pick<RunRequest, 'id' | 'startedAtMs' | 'clientGone' | 'trace'> {
  readonly userId: string;
}

/** The same services for one request: acts are recorded with the network that it came from. */
export function depsOf(deps: DashboardDeps, { network }: AccountRequest): DashboardDeps {
  // A key ring that is not there yet is made when something is sealed, not when deps are copied.
  return Object.create(deps, { network: { value: network } });
}
