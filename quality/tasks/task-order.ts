import { type SeededRandom, seededRandom } from './seeded-random.ts';
import type { Difficulty, Task, TaskKind } from './task.ts';

/** Which task is to be made. */
export interface TaskOrder {
  readonly seed: number;
  readonly kind: TaskKind;
  readonly difficulty: Difficulty;
  /** From 1, within its kind and difficulty. */
  readonly number: number;
}

/** What a task is called and how hard it is. */
export type TaskIdentity = Pick<Task, 'id' | 'kind' | 'difficulty'>;

/** Makes the task of an order; all that it chooses, it chooses by `random`. */
export type TaskMaker = (order: TaskOrder, random: SeededRandom) => Task;

/** The fields of a task that its order tells. */
export function identityOf({ kind, difficulty, number }: TaskOrder): TaskIdentity {
  return { id: `${kind}-${difficulty}-${String(number).padStart(4, '0')}`, kind, difficulty };
}

/** The random choices of one task, which do not depend on how many others there are. */
export function randomOf(order: TaskOrder): SeededRandom {
  return seededRandom(`${order.seed} ${identityOf(order).id}`);
}
