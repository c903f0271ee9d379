/** What a caller allows a run to cost and to take, at most. */
export interface RunLimits {
  readonly maxCostNanoUsd?: number;
  readonly maxMs?: number;
}

/** Whether a run may go on before it writes its answer. Flaws are words for people; undefined: it may. */
export interface Allowance {
  /** Why the waves that the run cannot do without are too much. */
  startFlaw(): string | undefined;
  /** Why a round must not be played. */
  roundFlaw(round: number): string | undefined;
  /** Why the arbiter must not read the texts before it writes. */
  readingFlaw(): string | undefined;
  /** The longest a wave may take that starts now. */
  waveMs(): number;
}
