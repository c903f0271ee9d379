import { UsageError } from '../../../src/cli/values';
import { readQuestions } from '../questions/read-questions';
import { ourTasks } from '../run/our-tasks';
import type { StudyTask } from '../study-task';
import { callerPath } from './caller-path';
import type { StudyOptions } from './read-options';

/** What the arms are asked, and the digest of the file that it is from; empty for tasks of ours. */
export async function studyMaterial(study: StudyOptions): Promise<{
  readonly tasks: readonly StudyTask[];
  readonly digest: string;
}> {
  const { file, judges, seed, tasks: count, kinds } = study;
  if (file === undefined) return { tasks: ourTasks({ seed, count, kinds }), digest: '' };
  const questions = await readQuestions(callerPath(file));
  const open = questions.tasks.filter(({ isOpen }) => isOpen).length;
  if (open > 0 && judges.length === 0)
    throw new UsageError(
      `--judges is required: questions without expected or check are open, of which there are ${open}`,
    );
  if (open === 0 && judges.length > 0)
    throw new UsageError('--judges is for open questions: all of the file have expected or check');
  return questions;
}
