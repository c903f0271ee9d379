import type { Checked, Documents } from '../tasks/task.ts';
import type { Label } from './questions/ratings.ts';

/** Something that every arm is asked: a task of ours, or a question of the user's. */
export interface StudyTask {
  readonly id: string;
  /** Tasks of a kind are taken to cost alike. */
  readonly kind: string;
  readonly prompt: string;
  /** Set: a task for ensembles alone, of which is told if the fact was kept and not what is right. */
  readonly documents?: Documents;
  /** A question whose answers only judges can compare: its check cannot say what is right. */
  readonly isOpen: boolean;
  /** Criteria for judges of an open question. */
  readonly rubric?: string;
  /** Ratings of earlier answers by users; models and judges are not told. */
  readonly labels?: readonly Label[];
  check(answer: string): Promise<Omit<Checked, 'isRight'> & { readonly isRight: boolean | null }>;
}
