import type { Schema } from '../api/client';
import type { RunBody } from '../pages/play/setup/run-body';

/** One event of a run's trace, as the server sends and keeps it. */
export type RunEvent = Schema<'TraceEvent'>;

/** The event of this type. */
export type RunEventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

/** One place in a run: a participant, or the arbiter. */
export type Seat = Schema<'TraceSeat'>;

/** What an attempt consumed. */
export type Spend = Schema<'TraceSpend'>;

// Until the routes are in the OpenAPI document.
export type RunRequest = RunBody;
export interface KeptRun {
  readonly id: string;
  readonly state: 'running' | 'complete' | 'stopped' | 'failed';
  readonly request: RunRequest;
  readonly events: readonly RunEvent[];
  /** How its answers were judged, oldest first. */
  readonly evaluations?: readonly unknown[];
}
