import type { CallPurpose, FinishReason } from '../models/model';
import type { ModelFaultKind } from '../models/model-fault';
import type { WebSource } from '../models/web-search';

/**
 * Events of a run for an observer while it is under way, in the order in which it happens: enough to show who wrote what, who
 * was shown which text, what each call consumed, and why the answer is as it is. Seats are named as in the ledger: `p1`,
 * `p2`, … for participants in request order, `arbiter`, `follow_ups`. Costs are nano-USD, times milliseconds.
 */
export type TraceEvent =
  | RunBegan
  | RoundBegan
  | RoundsSkipped
  | CallQueued
  | CallStarted
  | CallSpoke
  | TextWritten
  | CallEnded
  | StandingText
  | Ranked
  | AnswerWritten
  | LimitationNoted
  | Verdict
  | RunEnded;

/** One place in the run. */
export interface TraceSeat {
  readonly seat: string;
  readonly modelId: string;
  readonly modelName: string;
  /** For people: the label given in the request, else the model's name, numbered where several seats have the same. */
  readonly label: string;
  /** Owner of the key that its calls are made with. */
  readonly source: 'platform' | 'router';
}

/** The first event of every trace. */
export interface RunBegan {
  readonly type: 'run';
  readonly version: 1;
  readonly runId: string;
  /** Unix milliseconds. */
  readonly startedAtMs: number;
  /** A strategy's name, or `pass_through`. */
  readonly strategy: string;
  readonly rounds: number;
  readonly participants: readonly TraceSeat[];
  readonly arbiter: TraceSeat;
  /** Bounds of the plan: calls, their cost, and the time of all waves. */
  readonly callsMax: number;
  readonly costMaxNanoUsd: number;
  readonly durationMaxMs: number;
}

/** A step begins: a round of the participants, or one of the arbiter's. */
export interface RoundBegan {
  readonly type: 'round';
  /** 1-based; 0 for the arbiter's steps. */
  readonly round: number;
  readonly of: number;
  readonly purpose: CallPurpose;
  /** Description of the step for people. */
  readonly label: string;
}

/** Rounds that were asked for are not played. */
export interface RoundsSkipped {
  readonly type: 'roundsSkipped';
  /** The first that is not played. */
  readonly from: number;
  readonly reason: string;
}

/** A text that a call is shown: whose it is, and under which label its reader knows it. */
export interface SeenText {
  readonly seat: string;
  /** E.g. `B`, `part 2`. */
  readonly as: string;
}

/** A question is written and is to be put. */
export interface CallQueued {
  readonly type: 'call';
  readonly state: 'queued';
  /** Unique in the run, e.g. `r2.p1`. */
  readonly call: string;
  readonly seat: string;
  readonly modelId: string;
  readonly round: number;
  readonly purpose: CallPurpose;
  /** The texts of others in its prompt, and its own earlier one where it is shown that. */
  readonly saw: readonly SeenText[];
  /** Set where texts had to be shortened for its window. */
  readonly shortened: boolean;
}

/** An attempt begins: the first, or another after one that failed. What an earlier attempt wrote is void. */
export interface CallStarted {
  readonly type: 'call';
  readonly state: 'started';
  readonly call: string;
  /** From 1. */
  readonly attempt: number;
}

/** The first of an attempt's text has come. */
export interface CallSpoke {
  readonly type: 'call';
  readonly state: 'first';
  readonly call: string;
  readonly attempt: number;
}

/** A piece of what a model writes, as it comes. */
export interface TextWritten {
  readonly type: 'text';
  readonly call: string;
  readonly attempt: number;
  readonly text: string;
}

/** Consumption of an attempt: the figures of the ledger. */
export interface AttemptSpend {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedPromptTokens: number;
  readonly reasoningTokens: number;
  /** Searches of the web, as the provider bills them; absent where there were none. */
  readonly webSearches?: number;
  /** Our own estimate, as the provider reported nothing. */
  readonly estimated: boolean;
  readonly costNanoUsd: number;
  /** Set where a price is known; without one the cost is 0. */
  readonly priced: boolean;
}

/**
 * An attempt is over. `retry`: another one follows. `cut`: it was ended by us, at its time limit, as a straggler, or as
 * the run was stopped. A call that was queued and not made at all ends as `spared`, without an attempt or a spend.
 */
export interface CallEnded {
  readonly type: 'call';
  readonly state: 'retry' | 'done' | 'cut' | 'failed' | 'spared';
  readonly call: string;
  readonly attempt?: number;
  readonly fault?: ModelFaultKind;
  /** Meaning of the fault for people, e.g. `too slow`. */
  readonly reason?: string;
  readonly finishReason?: FinishReason;
  /** The text that is used, where it is not what the pieces come to. */
  readonly text?: string;
  /** Pages found on the web; absent where there are none. */
  readonly sources?: readonly WebSource[];
  readonly durationMs?: number;
  readonly spend?: AttemptSpend;
}

/** From here on this is what a participant stands for: the text that others and the arbiter are shown. */
export interface StandingText {
  readonly type: 'standing';
  readonly seat: string;
  /** The call that it comes from. */
  readonly call: string;
  readonly round: number;
  readonly text: string;
  /** The part that the participant plays in the strategy, where it has one. */
  readonly part?: string;
  /** Set: asked to revise, it stands by what it has said before. */
  readonly kept?: true;
}

/** A reader's order of the others' texts, best first. */
export interface Ranked {
  readonly type: 'ranking';
  readonly call: string;
  readonly order: readonly string[];
}

/** A piece of the run's answer. */
export interface AnswerWritten {
  readonly type: 'answer';
  readonly text: string;
}

/** In one way the run is less than was asked for, in words for people. */
export interface LimitationNoted {
  readonly type: 'limitation';
  readonly text: string;
}

/** Findings beside the answer, once it is written. */
export interface Verdict {
  readonly type: 'verdict';
  /** Author of the answer. */
  readonly seat: string;
  readonly explanation?: string;
  /** Agreement of the participants, as in the reply. */
  readonly agreement?: { readonly share: number; readonly measuredOn: string; readonly words: string };
  /** Results of the answer's checks, as in the reply. */
  readonly checks?: readonly { readonly check: string; readonly passed: boolean | null; readonly words: string }[];
  /** The participant whose answer was found best, where one was. */
  readonly winner?: string;
  readonly followUpPrompts?: readonly string[];
  /** Pages found on the web, as in the reply, and addresses of the answer that are on none of them. */
  readonly sources?: readonly WebSource[];
  readonly unsupportedUrls?: readonly string[];
  readonly degraded: readonly string[];
}

/** The last event of every trace. The sums are those of the ledger. */
export interface RunEnded {
  readonly type: 'end';
  /** `stopped`: by its user, or as the client has left. */
  readonly outcome: 'complete' | 'stopped' | 'failed';
  /** Why it failed, as the client is told. */
  readonly message?: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
  readonly calls: number;
  readonly unpricedModels: readonly string[];
}

/** Takes the events of a run as they happen. Must not throw, and must not be waited for. */
export type Observe = (event: TraceEvent) => void;

/** An event as it is kept and sent: with its place in the trace, from 0 without gaps, and when it happened. */
export type TracedEvent = TraceEvent & {
  readonly seq: number;
  /** Milliseconds since the run's start. */
  readonly atMs: number;
};
