import { answerLineTask } from './answer-line-task.ts';
import { arithmeticQuestion } from './arithmetic/arithmetic-question.ts';
import { calendarQuestion } from './calendar/calendar-question.ts';
import { codeTask } from './code/code-task.ts';
import { formTask } from './form/form-task.ts';
import { injectedTask } from './injected/injected-task.ts';
import { languageTask } from './language/language-task.ts';
import { needleQuestion } from './needle/needle-question.ts';
import { puzzleQuestion } from './puzzle/puzzle-question.ts';
import type { Question } from './question.ts';
import { recallTask } from './recall/recall-task.ts';
import type { SeededRandom } from './seeded-random.ts';
import { type Difficulty, TASK_KINDS, type Task, type TaskKind } from './task.ts';
import { identityOf, randomOf, type TaskMaker } from './task-order.ts';

const MAKERS: Readonly<Record<TaskKind, TaskMaker>> = {
  arithmetic: asking(arithmeticQuestion),
  calendar: asking(calendarQuestion),
  puzzle: asking(puzzleQuestion),
  code: codeTask,
  recall: recallTask,
  form: formTask,
  language: languageTask,
  injected: injectedTask,
  needle: asking(needleQuestion),
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
    return MAKERS[order.kind](order, randomOf(order));
  });
}

function asking(makeQuestion: (random: SeededRandom, difficulty: Difficulty) => Question): TaskMaker {
  return (order, random) => answerLineTask(identityOf(order), makeQuestion(random, order.difficulty));
}
