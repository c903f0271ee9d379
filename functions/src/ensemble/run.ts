import type { ChatTurn, ImageAttachment, ModelFaultKind, Sampling } from '../models/model';
import type { Conversation } from '../prompting/prompt-draft';
import type { RunContext } from '../runs/run-context';
import type { AnswerTimes } from './deadline/answer-times';
import type { Deadline } from './deadline/deadline';
import type { Panel, Seat } from './panel/panel';
import type { Question } from './waves/question';

/** What the caller wants, parsed and resolved. */
export interface EnsembleRequest {
  readonly strategy: Strategy;
  /** 1 to 10: an upper bound. */
  readonly rounds: number;
  readonly panel: Panel;
  /** What the user has sent last. */
  readonly message: string;
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
  /** Limitations known before the run starts, in words for the user. */
  readonly degraded?: readonly string[];
}

/** A way to let several models answer. */
export interface Strategy {
  /** Waves of calls before the arbiter's own, at most: what the time is shared out by. */
  waves(request: EnsembleRequest): number;
  /** Whether the arbiter judges before the answer even when no explanation is wanted. */
  readonly judges?: true;
  /** Whether a participant that is also the arbiter may answer alone, in one call: more calls would gain nothing. */
  readonly direct?: true;
  /** A word that asks for it in a model id of `/v1/responses`, besides its name. */
  readonly modelWord?: string;
  /** The calls it starts with, known before the run so that the reservation can list them. Calls no model. */
  firstWave(opening: Opening): Question[];
  /** Plays it to the end. Throws a `Fault` when no answer can be given. */
  play(run: Run, firstWave: readonly Question[]): Promise<Ending>;
}

/** A request with all that its prompts are built on, before any model is called. */
export interface Opening {
  readonly id: string;
  readonly request: EnsembleRequest;
  readonly conversation: Conversation;
}

/** Everything a strategy works with while it plays. */
export interface Run extends Opening, RunContext {
  readonly deadline: Deadline;
  /** How long models took for their texts in this process; every text of full length is noted there. */
  readonly answerTimes: AnswerTimes;
  /** Every call that failed so far, for messages and the explanation. */
  readonly failures: { readonly seat: Seat; readonly fault: ModelFaultKind }[];
  /** What made the run less than asked for, in words for the user. */
  readonly degraded: string[];
  /** Hides the names of the panel's models in a text that another model will read. */
  mask(text: string): string;
}

/** What a run returns beside its answer, which went to the sink piece by piece. */
export interface Ending {
  /** In request order; absent when not asked for. */
  readonly candidates?: readonly Candidate[];
  readonly explanation?: string;
  readonly followUpPrompts?: readonly string[];
}

/** A participant's last text as the client sees it (`docs/api.md`, Candidates), with what the participant consumed. */
export interface Candidate {
  readonly modelId: string;
  readonly modelName: string;
  readonly response: string;
  /** The part the participant had in the strategy, where it had one; shown as `reasoning` in streams. */
  readonly part?: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly executionTimeMs: number;
  readonly costNanoUsd: number;
}

/** Says openly, once, that a run is less than what was asked for: while streaming, on the reply, in the explanation. */
export function noteDegraded(run: Run, text: string): void {
  if (run.degraded.includes(text)) return;
  run.degraded.push(text);
  run.sink.status(text);
}
