import type { Schema } from '../api/client';

/** One event of a run's trace, as the server sends and keeps it. */
export type RunEvent = Schema<'TraceEvent'>;

/** The event of this type. */
export type RunEventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/** One place in a run: a participant, or the arbiter. */
export type Seat = Schema<'TraceSeat'>;

/** What an attempt consumed. */
export type Spend = Schema<'TraceSpend'>;

/** What a run is begun with. */
export type RunRequest = Schema<'PlaygroundRequest'>;

/** A run as it is kept. */
export type KeptRun = Schema<'KeptRun'>;
