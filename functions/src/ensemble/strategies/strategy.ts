import type { Question } from '../ask';
import type { EnsembleRequest, Run } from '../run';

/** One way to let several models answer. */
export interface Strategy {
  /** The calls it starts with, known before the run so that the reservation can list them (write-ahead). */
  firstWave(request: EnsembleRequest, id: string): Question[];
  /** Plays it to the end. Throws a `Fault` when no answer can be given. */
  play(run: Run): Promise<void>;
}
