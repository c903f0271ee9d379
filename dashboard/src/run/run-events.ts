import type { Schema } from '../api/client';

/** One event of a run's trace, as the server sends and keeps it. */
export type RunEvent = Schema<'TraceEvent'>;

/** The event of this type. */
export type RunEventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/** One place in a run: a participant, or the arbiter. */
export type Seat = Schema<'TraceSeat'>;

/** The consumption of an attempt. */
export type Spend = Schema<'TraceSpend'>;

/** The request that begins a run. */
export type RunRequest = Schema<'PlaygroundRequest'>;

/** A run as it is kept. */
export type KeptRun = Schema<'KeptRun'>;

/** A user's opinion of a run. */
export type RunRating = Schema<'NewRating'>;

/** A run as it is shared: without its place on a server. */
export interface RecordedRun {
  /** The beginning of it, where that is all that is known. */
  readonly prompt: string;
  /** The request as it was sent, where it was from the playground. */
  readonly request?: RunRequest;
  readonly events: readonly RunEvent[];
  /** Evaluations of its answers, oldest first. */
  readonly evaluations: readonly unknown[];
  readonly rating?: RunRating;
}
