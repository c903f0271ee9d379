import { type CallPurpose, WRITING } from '../../models/model';
import type { PromptBlock } from '../../prompting/prompt-draft';
import type { AnswerChecks } from '../checks/answer-checks';
import type { EnsembleRequest } from '../run';
import type { AnswerForm } from './answer-form';

type Wanted = Pick<EnsembleRequest, 'answerForm' | 'checks'>;

/** Ends the prompt of whoever writes the final answer: its form, and the checks it is held to. */
export function finalFormWords({ answerForm, checks }: Wanted): string[] {
  return [
    ...(answerForm
      ? [
          `${formFact(answerForm)}\nReply with that JSON and nothing else: no words before or after it, and no code fence around it.`,
        ]
      : []),
    ...(checks
      ? [`A program will check that all of this is true of your answer; do not mention it:\n${listOf(checks)}`]
      : []),
  ];
}

/** A participant's task with the form: at its end for those who answer, before it for those who only are to know it. */
export function taskInForm(
  form: AnswerForm | undefined,
  purpose: CallPurpose,
  task: readonly PromptBlock[],
): readonly PromptBlock[] {
  if (!form) return task;
  if (!WRITING.has(purpose)) return [formFact(form), ...task];
  const asked =
    task.length > 0
      ? 'Give your answer, or your part of it, as such JSON. Whatever else you were asked for above, such as steps or lines for the service, stands outside of it.'
      : 'Give your answer as such JSON.';
  return [...task, `${formFact(form)}\n${asked}`];
}

/** A participant's task with the form that the answer is to have, and the checks that it will be held to. */
export function wholeTask(
  { answerForm, checks }: Wanted,
  purpose: CallPurpose,
  task: readonly PromptBlock[],
): readonly PromptBlock[] {
  const inForm = taskInForm(answerForm, purpose, task);
  if (!checks || !WRITING.has(purpose)) return inForm;
  const besides = task.length > 0 ? '; lines for the service do not count.' : '.';
  return [
    ...inForm,
    `A program will check that all of this is true of the final answer, which is made from your text and others:\n${listOf(checks)}\nIf you write a whole answer, it must be true of yours as well${besides}`,
  ];
}

function formFact({ name, schema, description, isCall }: AnswerForm): string {
  if (!schema) return "The answer to the user's message has to be one JSON object.";
  const about = description === undefined ? `“${name}”` : `“${name}” (${description})`;
  if (isCall) {
    return `The answer to the user's message has to be a call of the tool ${about}, which a program makes. Only the arguments of the call are to be written, without the name of the tool: one JSON object that fits this JSON Schema:\n${JSON.stringify(schema)}`;
  }
  return `The answer to the user's message has to be one JSON value, ${about}, that fits this JSON Schema:\n${JSON.stringify(schema)}`;
}

function listOf({ rules }: AnswerChecks): string {
  return rules.map(({ requirement }) => `- ${requirement}`).join('\n');
}
