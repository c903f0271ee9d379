import { createHash } from 'node:crypto';
import { seededRandom } from '../seeded-random.ts';
import type { Checked, Difficulty, Task } from '../task.ts';
import { identityOf, type TaskOrder } from '../task-order.ts';
import { codeInAnswer } from './code-in-answer.ts';
import type { CodeProblem } from './code-problem.ts';
import { EASY_PROBLEMS } from './easy-problems.ts';
import { HARD_PROBLEMS } from './hard-problems.ts';
import { MIDDLING_PROBLEMS } from './middling-problems.ts';
import { type Returned, runProgram } from './sandbox.ts';

const PROBLEMS: Readonly<Record<Difficulty, readonly CodeProblem[]>> = {
  1: EASY_PROBLEMS,
  2: MIDDLING_PROBLEMS,
  3: HARD_PROBLEMS,
};
const CALLS = 30;

/** A function to be written, which is tried in the sandbox on arguments that its author has not seen. */
export function codeTask(order: TaskOrder): Task {
  const all = PROBLEMS[order.difficulty];
  // Each once, in an order of the seed, before any comes again.
  const problem = seededRandom(`${order.seed} code ${order.difficulty}`).shuffle(all)[
    (order.number - 1) % all.length
  ] as CodeProblem;
  const random = seededRandom(`${order.seed} ${identityOf(order).id} calls`);
  const calls = [...problem.edges, ...Array.from({ length: CALLS }, () => problem.input(random))];
  return {
    ...identityOf(order),
    language: 'en',
    prompt: promptOf(problem),
    expected: fenced(problem.right),
    wrong: problem.wrong.map(fenced),
    check: (answer) => checked(problem, calls, answer),
  };
}

function promptOf({ name, parameters, statement }: CodeProblem): string {
  return [
    `Write a function in JavaScript: ${name}(${parameters}).`,
    statement,
    'It changes none of its arguments, reads nothing else and prints nothing.',
    '',
    'Reply with one fenced code block that holds the function, and nothing else.',
  ].join('\n');
}

function fenced(source: string): string {
  return `\`\`\`js\n${source}\n\`\`\``;
}

/** Right is what returns the right value for every call. */
async function checked(
  { name, solve }: CodeProblem,
  calls: readonly (readonly unknown[])[],
  answer: string,
): Promise<Checked> {
  const { source, hasForm } = codeInAnswer(answer, name);
  const returned = await runProgram({ source, functionName: name, calls });
  const isRight = calls.every(
    (given, at) => returned?.[at] === JSON.stringify(solve(...(structuredClone(given) as never[]))),
  );
  return {
    ...{ isRight, hasForm, falseFacts: 0 },
    // A program that returns nothing says nothing that others could say too.
    ...(returned?.some((value) => value !== undefined) && { comesTo: digestOf(returned) }),
  };
}

/** Programs that return the same are one answer, however they are written. */
function digestOf(returned: Returned): string {
  return createHash('sha256').update(JSON.stringify(returned)).digest('base64url').slice(0, 22);
}
