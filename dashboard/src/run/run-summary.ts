import type { Tone } from '../ui/tone';

/** A kept run as lists show it. */
export interface RunSummary {
  readonly id: string;
  readonly startedAtMs: number;
  readonly prompt: string;
  readonly strategy: string;
  readonly rounds: number;
  readonly models: readonly string[];
  readonly state: 'running' | 'complete' | 'stopped' | 'failed';
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
  readonly calls: number;
  readonly durationMs: number;
}

/** How a run stands, in a word. */
export const RUN_STATES: Readonly<Record<RunSummary['state'], { readonly tone: Tone; readonly text: string }>> = {
  running: { tone: 'neutral', text: 'Running' },
  complete: { tone: 'good', text: 'Complete' },
  stopped: { tone: 'warn', text: 'Stopped' },
  failed: { tone: 'bad', text: 'Failed' },
};
