import type { CallPurpose } from '../../models/model';
import type { PromptBlock } from '../../prompting/prompt-draft';
import { taskWithChecks } from '../checks/check-words';
import { taskInForm } from '../form/form-words';
import type { EnsembleRequest } from '../run';

/** A participant's task with what it is to know of the answer: the form that it is to have, and what will be checked. */
export function wholeTask(
  { answerForm, checks }: EnsembleRequest,
  purpose: CallPurpose,
  task: readonly PromptBlock[],
): readonly PromptBlock[] {
  return taskWithChecks(checks, purpose, taskInForm(answerForm, purpose, task));
}
