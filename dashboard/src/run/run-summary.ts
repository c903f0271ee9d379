import type { Schema } from '../api/client';
import type { Tone } from '../ui/tone';

/** A kept run as lists show it. */
export type RunSummary = Schema<'RunSummary'>;

/** The state of a run, in a word. */
export const RUN_STATES: Readonly<Record<RunSummary['state'], { readonly tone: Tone; readonly text: string }>> = {
  running: { tone: 'neutral', text: 'Running' },
  complete: { tone: 'good', text: 'Complete' },
  stopped: { tone: 'warn', text: 'Stopped' },
  failed: { tone: 'bad', text: 'Failed' },
};
