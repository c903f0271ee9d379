import { makeTasks } from '../../tasks/make-tasks';
import type { TaskKind } from '../../tasks/task';
import type { StudyTask } from '../study-task';

/** More than there are kinds. */
const SOME = 20;

/** The kinds of tasks that there are: among the first tasks each has one. */
export function taskKinds(): TaskKind[] {
  return [...new Set(makeTasks({ seed: 1, count: SOME }).map(({ kind }) => kind))];
}

/** The tasks of a study; how hard one is, its prompt's length tells of a kind. */
export function ourTasks(options: Parameters<typeof makeTasks>[0]): StudyTask[] {
  return makeTasks(options).map((task) => ({
    id: task.id,
    kind: task.kind,
    isOpen: false,
    prompt: task.prompt,
    check: (answer) => task.check(answer),
  }));
}
