import { ANSWER_LABEL, readAnswerLine } from './reading/answer-line.ts';
import type { Task } from './task.ts';

/** A question whose answer is one value, on the last line of the answer. */
export interface Question {
  /** The question without how to answer. */
  readonly text: string;
  /** The words for the value, such as `the number in digits`. */
  readonly form: string;
  /** The right value, as `read` gives it back. */
  readonly right: string;
  /** Plausible wrong values, likewise; all differ. */
  readonly wrong: readonly string[];
  /** A value as a model wrote it, in the one form in which values can be compared; undefined where it is none. */
  read(value: string): string | undefined;
}

/** A task that asks a question and to end with the line that holds its answer. */
export function answerLineTask({
  text,
  form,
  right,
  wrong,
  read,
}: Question): Pick<Task, 'prompt' | 'expected' | 'wrong' | 'check'> {
  const line = (value: string): string => `${ANSWER_LABEL}: ${value}`;
  return {
    prompt: `${text}\n\nThink it through step by step. Then end with one line in exactly this form, and write nothing after it:\n${line(`<${form}>`)}`,
    expected: line(right),
    wrong: wrong.map(line),
    check: async (answer) => {
      const found = readAnswerLine(answer);
      const value = found && read(found.value);
      return { isRight: value === right, hasForm: found?.hasForm === true && value !== undefined, falseFacts: 0 };
    },
  };
}

/** The first few wrong values that differ from the right one and from each other. */
export function differing(right: number, wrong: readonly number[]): number[] {
  return [...new Set(wrong.filter((value) => value !== right && value >= 0))].slice(0, 3);
}
