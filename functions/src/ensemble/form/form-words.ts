import { type CallPurpose, WRITING } from '../../models/model';
import type { PromptBlock } from '../../prompting/prompt-draft';
import { draftCheckWords } from '../checks/check-words';
import type { EnsembleRequest } from '../run';
import type { AnswerForm } from './answer-form';

/** Ends the prompt of whoever writes the final answer; empty where it may have any form. */
export function finalFormWords(form: AnswerForm | undefined): string[] {
  if (!form) return [];
  return [
    `${formFact(form)}\nReply with that JSON and nothing else: no words before or after it, and no code fence around it.`,
  ];
}

/** Ends the prompt of a participant who answers: its text may hold more than the JSON, and is not checked. */
function draftFormWords(form: AnswerForm, hasTask: boolean): string[] {
  return [
    `${formFact(form)}\n${hasTask ? 'Give your answer, or your part of it, as such JSON. Whatever else you were asked for above, such as steps or lines for the service, stands outside of it.' : 'Give your answer as such JSON.'}`,
  ];
}

/** A participant's task with the form: at its end for those who answer, before it for those who only are to know it. */
export function taskInForm(
  form: AnswerForm | undefined,
  purpose: CallPurpose,
  task: readonly PromptBlock[],
): readonly PromptBlock[] {
  if (!form) return task;
  return WRITING.has(purpose) ? [...task, ...draftFormWords(form, task.length > 0)] : [formFact(form), ...task];
}

function formFact({ name, schema, description }: AnswerForm): string {
  if (!schema) return "The answer to the user's message has to be one JSON object.";
  const about = description === undefined ? `“${name}”` : `“${name}” (${description})`;
  return `The answer to the user's message has to be one JSON value, ${about}, that fits this JSON Schema:\n${JSON.stringify(schema)}`;
}

/** A participant's task with the form that the answer is to have, and the checks that it will be held to. */
export function wholeTask(
  { answerForm, checks }: EnsembleRequest,
  purpose: CallPurpose,
  task: readonly PromptBlock[],
): readonly PromptBlock[] {
  return [...taskInForm(answerForm, purpose, task), ...draftCheckWords(checks, purpose, task.length > 0)];
}
