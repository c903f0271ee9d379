import { createHash } from 'node:crypto';
import { itemOf, type TaskMaker } from '../task.ts';
import { codeInAnswer } from './code-in-answer.ts';
import { PROBLEMS } from './problems.ts';
import { type Returned, runProgram } from './sandbox.ts';

const CALLS = 30;

/** A function to be written, which is tried in the sandbox on arguments that its author has not seen. */
export const codeTask: TaskMaker = (order, random) => {
  const { name, parameters, statement, right, slips, input, edges } = itemOf(order, PROBLEMS[order.difficulty]);
  const calls = [...edges, ...Array.from({ length: CALLS }, () => input(random))];
  const run = (source: string) => runProgram({ source, functionName: name, calls });
  let expected: Promise<Returned | undefined> | undefined;
  return {
    prompt: [
      `Write a function in JavaScript: ${name}(${parameters}).`,
      statement,
      'It changes none of its arguments, reads nothing else and prints nothing.',
      '',
      'Reply with one fenced code block that holds the function, and nothing else.',
    ].join('\n'),
    expected: fenced(right),
    wrong: slips.map((slip) => fenced(right.replace(...slip))),
    check: async (answer) => {
      const { source, hasForm } = codeInAnswer(answer, name);
      expected ??= run(right);
      const [values, returned] = await Promise.all([expected, run(source)]);
      return {
        isRight: values?.every((value, at) => returned?.[at] === value) === true,
        ...{ hasForm, falseFacts: 0 },
        // A program that returns nothing says nothing that others could say too.
        ...(returned?.some((value) => value !== undefined) && { comesTo: digestOf(returned) }),
      };
    },
  };
};

function fenced(source: string): string {
  return `\`\`\`js\n${source}\n\`\`\``;
}

/** Programs that return the same are one answer, however they are written. */
function digestOf(returned: Returned): string {
  return createHash('sha256').update(JSON.stringify(returned)).digest('base64url').slice(0, 22);
}
