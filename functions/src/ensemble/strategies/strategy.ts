import type { Question } from '../question';
import type { EnsembleRequest, Run } from '../run';

/** One way to let several models answer. */
export interface Strategy {
  /** Waves of calls before the arbiter's own, at most: what the time is shared out by. */
  waves(request: EnsembleRequest): number;
  /** Whether the arbiter judges before the answer even when no explanation is wanted. */
  readonly judges: boolean;
  /** The calls it starts with, known before the run so that the reservation can list them (write-ahead). */
  firstWave(request: EnsembleRequest, id: string): Question[];
  /** Plays it to the end. Throws a `Fault` when no answer can be given. */
  play(run: Run): Promise<void>;
}
