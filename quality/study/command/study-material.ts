import { readQuestions } from '../questions/read-questions.ts';
import { ourTasks } from '../run/our-tasks.ts';
import type { StudyTask } from '../study-task.ts';
import { callerPath } from './caller-path.ts';
import type { StudyOptions } from './read-options.ts';
import { UsageError } from './values.ts';

/** What the arms are asked, and the digest of the file that it is from; empty for tasks of ours. */
export function studyMaterial(study: StudyOptions): { readonly tasks: readonly StudyTask[]; readonly digest: string } {
  const { file, judges, seed, tasks: count, kinds } = study;
  if (file === undefined) return { tasks: ourTasks({ seed, count, kinds }), digest: '' };
  const questions = readQuestions(callerPath(file));
  const open = questions.tasks.filter(({ isOpen }) => isOpen).length;
  if (open > 0 && judges.length === 0)
    throw new UsageError(
      `--judges is required: questions without expected or check are open, of which there are ${open}`,
    );
  if (open === 0 && judges.length > 0)
    throw new UsageError('--judges is for open questions: all of the file have expected or check');
  return questions;
}
