import { readAnswerLine } from '../../tasks/reading/answer-line.ts';
import { normalisedAnswer } from '../analysis/normalised-answer.ts';
import type { StudyTask } from '../study-task.ts';

/** A question of the user's own. */
export interface Question {
  readonly prompt: string;
  readonly expected?: string | undefined;
  readonly passes?: ((answer: string) => boolean) | undefined;
  readonly rubric?: string | undefined;
}

const END_WITH = 'End with one line in exactly this form, and write nothing after it:\nAnswer: <your answer>';

/**
 * A task of a question. One with an expected answer asks for a last line that holds it, as answers in prose cannot be compared; one
 * with checks has answers that are right where they pass; one with neither is open.
 */
export function questionTask(id: string, { prompt, expected, passes, rubric }: Question): StudyTask {
  const isOpen = expected === undefined && passes === undefined;
  return {
    ...{ id, kind: 'question', isOpen },
    prompt: expected === undefined ? prompt : `${prompt}\n\n${END_WITH}`,
    ...(rubric !== undefined && { rubric }),
    check: async (answer) => {
      if (isOpen) return { isRight: null, hasForm: true, falseFacts: 0 };
      const line = expected === undefined ? undefined : readAnswerLine(answer);
      const isExpected = expected === undefined || sameAnswer(line?.value, expected);
      const isPassed = passes?.(answer) ?? true;
      return {
        isRight: isExpected && isPassed,
        hasForm: isPassed && (expected === undefined || line?.hasForm === true),
        falseFacts: 0,
      };
    },
  };
}

function sameAnswer(value: string | undefined, expected: string): boolean {
  return value !== undefined && normalisedAnswer(value) === normalisedAnswer(expected);
}
