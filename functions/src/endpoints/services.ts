import type { AnswerTimes } from '../ensemble/answer-times';
import type { Guard } from '../guard/guard';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { Catalog, ModelRow } from '../models/catalog';
import type { ModelGateway } from '../models/gateway';
import type { RouterModelStore } from '../store/byok-store';
import type { LedgerStore, UsageStore } from '../store/store';

/** What the endpoints work with; made once by the composition root. */
export interface Services {
  readonly guard: Guard;
  readonly gateway: ModelGateway;
  /** What this process knows of each model's pace. */
  readonly answerTimes: AnswerTimes;
  readonly store: LedgerStore & UsageStore & Pick<RouterModelStore, 'listRouterModels'>;
  readonly clock: Clock;
  readonly log: Log;
  /** The secret behind labels and orders in judges' prompts. */
  readonly layoutKey: Uint8Array;
  readonly catalog: Catalog;
  /** Arbiter of the virtual models. */
  readonly defaultModel: string;
  /** Participants of the virtual models. */
  readonly defaultPanel: readonly string[];
  /** What `GET /v1/models` lists. */
  readonly models: readonly ModelRow[];
}
