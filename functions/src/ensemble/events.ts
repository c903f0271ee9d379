/** One participant's contribution, as the client sees it (spec "Candidate"). */
export interface Candidate {
  readonly modelId: string;
  readonly modelName: string;
  readonly response: string;
  /** What the participant did in the strategy, where it had a role; shown as `reasoning` in streams. */
  readonly note?: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly executionTimeMs: number;
  readonly costNanoUsd: number;
}

/**
 * What a run tells the outside, in order. The answer is the sum of the `delta`s, so a stream and a JSON reply
 * cannot differ. `explanation`, `followUps` and `degraded` belong to the end of the reply whenever they are emitted.
 */
export type EnsembleEvent =
  | { readonly type: 'status'; readonly text: string }
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'candidates'; readonly list: readonly Candidate[] }
  | { readonly type: 'explanation'; readonly text: string }
  | { readonly type: 'followUps'; readonly prompts: readonly string[] }
  | { readonly type: 'degraded'; readonly text: string };

/**
 * Takes one event. Events are pushed, not yielded: inside the Functions Framework every promise is hooked by
 * `node:domain`, and a generator chain costs about 6 µs a hop for each chunk (ADR 0002).
 */
export type Emit = (event: EnsembleEvent) => void;

/** Where a run's events go. */
export interface Audience {
  /** Whether deltas reach the reader as they are emitted. If not, an answer that broke off can still be tried again. */
  readonly live: boolean;
  readonly emit: Emit;
  /** A promise while the reader is slow: the sender of deltas waits for it. Undefined otherwise. */
  backPressure(): Promise<void> | undefined;
}
