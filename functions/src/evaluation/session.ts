import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { ModelGateway } from '../models/gateway';
import type { RequestScope } from '../models/request-scope';
import type { Books } from '../usage/books';
import type { EvaluationRequest } from './evaluation';
import type { JudgeSlots } from './judge-slots';
import type { Layout } from './layout';
import type { Material } from './material';
import type { EvaluationPlan } from './plan';

/** An evaluation that is ready to begin: nothing was asked yet. */
export interface Preparation {
  readonly request: EvaluationRequest;
  readonly layout: Layout;
  readonly material: Material;
  readonly plan: EvaluationPlan;
}

/** A running evaluation, as its judges' calls see it. */
export interface Session extends Preparation {
  readonly id: string;
  readonly gateway: ModelGateway;
  readonly scope: RequestScope;
  readonly books: Books;
  readonly clock: Clock;
  readonly log: Log;
  readonly slots: JudgeSlots;
  /** When the answer must be ready; the signal then aborts. */
  readonly endsAtMs: number;
  /** Aborted at the deadline, and when the client leaves. */
  readonly signal: AbortSignal;
}
