import type { Analysis } from '../analysis/analyse.ts';

/** All that a report tells. */
export interface StudyReport {
  readonly analysis: Analysis;
  /** What was compared, line by line: tasks, models, seed, date. */
  readonly about: readonly string[];
  /** What a reader must know before the figures, such as that the study was stopped at its cap. */
  readonly warnings: readonly string[];
}
