import type { Schema } from '../api/client';
import { firstWords } from '../text/first-words';
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

const REASON_CHARACTERS_MAX = 80;

/** The state of a run with the reason of a failure: “Failed: the server stopped before the run ended”. */
export function runStateWords({ state, message = '' }: Pick<RunSummary, 'state' | 'message'>) {
  const { tone, text } = RUN_STATES[state];
  const reason = firstWords(message, REASON_CHARACTERS_MAX);
  const isTold = state === 'failed' && reason !== '';
  return { tone, text: isTold ? `${text}: ${reason.slice(0, 1).toLowerCase()}${reason.slice(1)}` : text };
}
