import type { Limiter } from '../../access/limiter';
import type { ServerBudget } from '../../access/server-budget';
import type { SubscriptionStore } from '../../access/subscription';
import type { ByokStore } from '../../byok/byok-store';
import type { PdfReader } from '../../byok/pdf-text';
import type { KeyRing } from '../../byok/secret-box';
import type { ModelProvider } from '../../models/model';
import type { RunRequest } from '../../runs/admit';
import type { EndpointDeps } from '../endpoint-deps';

/** What the playground works with besides what endpoints do; made once by the composition root. */
export interface PlaygroundDeps extends EndpointDeps {
  readonly store: EndpointDeps['store'] & ByokStore & SubscriptionStore;
  readonly keyRing: KeyRing;
  readonly readPdf: PdfReader;
  /** Speaks to the router with one user's key. */
  readonly routerProvider: (apiKey: string) => ModelProvider;
  /** 10 runs in any 60 seconds per user, apart from the API's limit. */
  readonly limiter: Limiter;
  /** 10 runs with files in any 60 seconds, counted before a file is read, also where it is refused. */
  readonly filesLimiter: Limiter;
  readonly serverBudget: ServerBudget;
  readonly suggestions: Suggestions;
}

/** What a first run in the playground may be tried with. */
export interface Suggestions {
  readonly prompts: readonly string[];
  /** Ids: a panel that shows something with them, and who writes the answer. */
  readonly participants: readonly string[];
  readonly arbiter: string;
  /** How long those who lag are to be waited for, where that is to be seen. */
  readonly graceSeconds?: number;
  /** Whether all of them follow a script. */
  readonly scripted: boolean;
}

/** A request of a user of the dashboard, as what it runs is told of it. */
export interface UserRequest extends Pick<RunRequest, 'id' | 'startedAtMs' | 'clientGone' | 'trace'> {
  readonly userId: string;
}
