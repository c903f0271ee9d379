import type { CallPurpose } from '../../models/model';
import type { PromptBlock } from '../../prompting/prompt-draft';
import { draftCheckWords } from '../checks/check-words';
import { taskInForm } from '../form/form-words';
import type { EnsembleRequest } from '../run';

/** A participant's task with the form that the answer is to have, and the checks that it will be held to. */
export function wholeTask(
  { answerForm, checks }: EnsembleRequest,
  purpose: CallPurpose,
  task: readonly PromptBlock[],
): readonly PromptBlock[] {
  return [...taskInForm(answerForm, purpose, task), ...draftCheckWords(checks, purpose, task.length > 0)];
}
