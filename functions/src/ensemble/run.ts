import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { ModelGateway } from '../models/gateway';
import type { ChatTurn, ImageAttachment, ModelFaultKind, Sampling } from '../models/model';
import type { RequestScope } from '../models/request-scope';
import type { Books } from '../usage/books';
import type { AnswerTimes } from './answer-times';
import type { Deadline } from './deadline';
import type { Audience } from './events';
import type { Panel, Seat } from './panel';
import type { Conversation } from './sheet';
import type { StrategyName } from './strategy-names';

/** What the caller wants, parsed and resolved. */
export interface EnsembleRequest {
  readonly strategy: StrategyName;
  /** 1 to 10: an upper bound. */
  readonly rounds: number;
  readonly panel: Panel;
  /** The last message. */
  readonly prompt: string;
  /** Shown with it to everybody; the whole panel has vision then. */
  readonly images?: readonly ImageAttachment[];
  /** Earlier non-system messages, oldest first. */
  readonly history: readonly ChatTurn[];
  /** Instructions for the arbiter; participants never see them. */
  readonly systemPrompt?: string;
  /** Applied to the arbiter's judgement and answer only. */
  readonly sampling: Sampling;
  readonly includeCandidates: boolean;
  readonly includeExplanation: boolean;
  readonly includeFollowUps: boolean;
  /** What the run is less than asked for from its start, in words for the user. */
  readonly shortcomings?: readonly string[];
}

/** A model that did not deliver. */
export interface Failure {
  readonly seat: Seat;
  readonly fault: ModelFaultKind;
}

/** Everything a strategy works with. It sees no store, no SDK and no HTTP. */
export interface Run extends Audience {
  readonly id: string;
  readonly request: EnsembleRequest;
  readonly gateway: ModelGateway;
  readonly scope: RequestScope;
  readonly books: Books;
  readonly clock: Clock;
  readonly deadline: Deadline;
  /** How long models took for their texts in this process; every text of full length is noted there. */
  readonly answerTimes: AnswerTimes;
  /** Aborted when the client leaves or the hard stop is reached. */
  readonly signal: AbortSignal;
  /** Every model that failed so far, for messages and the explanation. */
  readonly failures: Failure[];
  /** What made the run less than asked for, in words for the user. */
  readonly notes: string[];
  /** What every prompt of the run is built on. */
  readonly conversation: Conversation;
  /** Hides the names of the panel's models in a text that another model will read. */
  mask(text: string): string;
  readonly log: Log;
}
