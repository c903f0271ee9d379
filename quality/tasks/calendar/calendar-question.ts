import type { Question } from '../question.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { Difficulty } from '../task.ts';
import { dateAfter, daysBetween, weekdayOn } from './easy-questions.ts';
import { bothOnOneDay, landing, lastWorkday } from './hard-questions.ts';
import { longAfter, nthWeekday, workdaysBetween } from './middling-questions.ts';

const MAKERS: Readonly<Record<Difficulty, readonly ((random: SeededRandom) => Question)[]>> = {
  1: [weekdayOn, dateAfter, daysBetween],
  2: [nthWeekday, longAfter, workdaysBetween],
  3: [lastWorkday, bothOnOneDay, landing],
};

/** A question about dates. */
export function calendarQuestion(random: SeededRandom, difficulty: Difficulty): Question {
  return random.pick(MAKERS[difficulty])(random);
}
