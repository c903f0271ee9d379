import type { Question } from './question.ts';
import { ANSWER_LABEL, readAnswerLine } from './reading/answer-line.ts';
import type { Checked, Task } from './task.ts';
import type { TaskIdentity } from './task-order.ts';

/** A task that asks a question and to end with the line that holds its answer. */
export function answerLineTask(identity: TaskIdentity, question: Question): Task {
  return {
    ...identity,
    language: 'en',
    prompt: `${question.text}\n\n${endWith(question.form)}`,
    expected: answerLine(question.right),
    wrong: question.wrong.map(answerLine),
    check: async (answer) => checkAnswerLine(question, answer),
  };
}

/** What is asked of the answer's form. */
function endWith(form: string): string {
  return (
    'Think it through step by step. Then end with one line in exactly this form, and write nothing after it:\n' +
    `${ANSWER_LABEL}: <${form}>`
  );
}

/** The line that is asked for. */
function answerLine(value: string): string {
  return `${ANSWER_LABEL}: ${value}`;
}

/** Whether an answer ends with the right value, and in the form asked for. */
function checkAnswerLine(question: Question, answer: string): Checked {
  const line = readAnswerLine(answer);
  const value = line && question.read(line.value);
  return {
    isRight: value === question.right,
    hasForm: line?.hasForm === true && value !== undefined,
    falseFacts: 0,
  };
}
