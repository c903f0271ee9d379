import { answerLineTask } from './answer-line-task.ts';
import { arithmeticQuestion } from './arithmetic.ts';
import { calendarQuestion } from './calendar.ts';
import { codeTask } from './code/code-task.ts';
import { formTask } from './form.ts';
import { injectedTask } from './injected.ts';
import { keptTask } from './kept.ts';
import { languageTask } from './language.ts';
import { needleQuestion } from './needle.ts';
import { puzzleQuestion } from './puzzle.ts';
import { recallTask } from './recall.ts';
import { seededRandom } from './seeded-random.ts';
import { type Difficulty, identityOf, TASK_KINDS, type Task, type TaskKind, type TaskMaker } from './task.ts';

const MAKERS: Readonly<Record<TaskKind, TaskMaker>> = {
  arithmetic: ({ difficulty }, random) => answerLineTask(arithmeticQuestion(random, difficulty)),
  calendar: ({ difficulty }, random) => answerLineTask(calendarQuestion(random, difficulty)),
  puzzle: ({ difficulty }, random) => answerLineTask(puzzleQuestion(random, difficulty)),
  code: codeTask,
  recall: recallTask,
  form: formTask,
  language: languageTask,
  injected: injectedTask,
  kept: keptTask,
  needle: ({ difficulty }, random) => answerLineTask(needleQuestion(random, difficulty)),
};
const DIFFICULTIES = [1, 2, 3] as const;

/** `count` tasks, as evenly as possible over kinds and difficulties; the same for the same seed. */
export function makeTasks(options: {
  readonly seed: number;
  readonly count: number;
  readonly kinds?: readonly TaskKind[];
}): Task[] {
  const kinds = [...new Set(options.kinds ?? TASK_KINDS)];
  return Array.from({ length: options.count }, (_, at) => {
    const place = at % kinds.length;
    const round = Math.floor(at / kinds.length);
    // Each round has every kind once, and each of three rounds another difficulty for a kind.
    const difficulty = DIFFICULTIES[(place + round) % DIFFICULTIES.length] as Difficulty;
    const number = 1 + Math.floor(round / DIFFICULTIES.length);
    const order = { seed: options.seed, kind: kinds[place] as TaskKind, difficulty, number };
    const identity = identityOf(order);
    // The choices of one task do not depend on the number of others.
    return { ...identity, ...MAKERS[order.kind](order, seededRandom(`${order.seed} ${identity.id}`)) };
  });
}
