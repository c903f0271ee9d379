import { makeTasks } from '../../tasks/make-tasks.ts';
import type { StudyTask } from '../study-task.ts';

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
