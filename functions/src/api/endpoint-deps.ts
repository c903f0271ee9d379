/*
 * The endpoints: a folder each with `route`, `request` and `reply`; what several share has a name. A route parses the
 * body, opens what is asked for, admits it, runs it and replies. May import everything below; must not call a model.
 */

import type { Guard } from '../access/guard';
import type { RouterModelStore } from '../byok/byok-store';
import type { AnswerTimes } from '../ensemble/deadline/answer-times';
import type { LedgerStore } from '../ledger/ledger-store';
import type { UsageStore } from '../ledger/usage-store';
import type { Catalog } from '../models/catalog';
import type { OfferedModels } from '../models/offered-models';
import type { RunDeps } from '../runs/admit';
import type { KeptRuns } from '../runs/kept-runs';

/** What the endpoints work with; made once by the composition root. */
export interface EndpointDeps extends RunDeps, OfferedModels {
  readonly guard: Pick<Guard, 'admit' | 'count'>;
  /** What this process knows of each model's pace. */
  readonly answerTimes: AnswerTimes;
  readonly store: LedgerStore & UsageStore & Pick<RouterModelStore, 'listRouterModels'>;
  /** The runs that users may come back to. */
  readonly keptRuns: KeptRuns;
  /** The secret behind labels and orders in judges' prompts. */
  readonly labelKey: Uint8Array;
  readonly catalog: Catalog;
}
