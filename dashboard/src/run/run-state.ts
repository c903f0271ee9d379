import type { Schema } from '../api/client';
import type { RunEventOf, Spend } from './run-events';

/** The state of an attempt, or its end. */
export type AttemptState = 'running' | 'retry' | 'done' | 'cut' | 'failed' | 'spared';

/** The state of a call: that of its newest attempt, and before the first one `queued`. */
export type CallState = 'queued' | AttemptState;

/** One try at a model. */
export interface Attempt {
  readonly attempt: number;
  readonly state: AttemptState;
  readonly startedAtMs: number;
  /** The moment at which the first of its text came. */
  readonly firstAtMs?: number;
  readonly endedAtMs?: number;
  readonly text: string;
  /** The failure, in words for people. */
  readonly reason?: string;
  readonly finishReason?: string;
  readonly spend?: Spend;
  /** The sources it found on the web. */
  readonly sources?: readonly Schema<'WebSource'>[];
}

type Queued = Extract<RunEventOf<'call'>, { readonly state: 'queued' }>;

/** A question that was put to a model, and what came of it. */
export interface Call {
  readonly id: string;
  readonly seat: string;
  readonly modelId: string;
  readonly round: number;
  readonly purpose: Queued['purpose'];
  readonly saw: Queued['saw'];
  readonly shortened: boolean;
  readonly queuedAtMs: number;
  /** Set once it is over. */
  readonly endedAtMs?: number;
  readonly state: CallState;
  readonly reason?: string;
  /** In order; what an earlier one wrote is void. */
  readonly attempts: readonly Attempt[];
}

/** A step of the run. */
export type Round = Pick<RunEventOf<'round'>, 'round' | 'of' | 'purpose' | 'label' | 'atMs'>;

/** The spend of calls that are over. */
export interface Spent {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
  /** Attempts. */
  readonly calls: number;
}

/** All that is known of a run, made of its events so far. */
export interface RunState {
  /** The place of the event that must come next. */
  readonly nextSeq: number;
  /** An event has come that is not the next one: some were lost, and must be asked for again. */
  readonly hasGap: boolean;
  /** The moment of the newest event, since the run's start. */
  readonly atMs: number;
  readonly run?: RunEventOf<'run'>;
  readonly rounds: readonly Round[];
  readonly skipped?: RunEventOf<'roundsSkipped'>;
  /** Keyed by id, in the order in which they were queued. */
  readonly calls: ReadonlyMap<string, Call>;
  /** The ids of the calls of each seat, in that order; a seat that plays two parts has both under its own name. */
  readonly callIds: ReadonlyMap<string, readonly string[]>;
  /** The texts that participants stand for, oldest first. */
  readonly standing: readonly RunEventOf<'standing'>[];
  readonly rankings: readonly RunEventOf<'ranking'>[];
  readonly answer: string;
  /** The moment at which the first of the answer came. */
  readonly answerAtMs?: number;
  readonly limitations: readonly string[];
  readonly verdict?: RunEventOf<'verdict'>;
  readonly end?: RunEventOf<'end'>;
  readonly spent: Spent;
}

/** A run of which nothing is known yet. */
export const NO_RUN: RunState = {
  nextSeq: 0,
  hasGap: false,
  atMs: 0,
  rounds: [],
  calls: new Map(),
  callIds: new Map(),
  standing: [],
  rankings: [],
  answer: '',
  limitations: [],
  spent: { promptTokens: 0, completionTokens: 0, costNanoUsd: 0, calls: 0 },
};
