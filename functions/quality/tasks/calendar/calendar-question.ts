import type { Question } from '../question';
import type { SeededRandom } from '../seeded-random';
import type { Difficulty } from '../task';
import { dateAfter, daysBetween, weekdayOn } from './easy-questions';
import { bothOnOneDay, landing, lastWorkday } from './hard-questions';
import { longAfter, nthWeekday, workdaysBetween } from './middling-questions';

const MAKERS: Readonly<Record<Difficulty, readonly ((random: SeededRandom) => Question)[]>> = {
  1: [weekdayOn, dateAfter, daysBetween],
  2: [nthWeekday, longAfter, workdaysBetween],
  3: [lastWorkday, bothOnOneDay, landing],
};

/** A question about dates. */
export function calendarQuestion(random: SeededRandom, difficulty: Difficulty): Question {
  return random.pick(MAKERS[difficulty])(random);
}
