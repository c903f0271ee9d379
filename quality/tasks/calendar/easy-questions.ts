import type { Question } from '../question.ts';
import { readNumber } from '../reading/read-number.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { dateQuestion, differing, someDay } from './date-question.ts';
import { spokenDate, WEEKDAYS, weekdayOf } from './days.ts';
import { readWeekday } from './read-date.ts';

/** The weekday some weeks after one that is given. */
export function weekdayOn(random: SeededRandom): Question {
  const given = someDay(random);
  const later = random.between(20, 90);
  const right = weekdayOf(given + later);
  return {
    text: `${spokenDate(given)} is a ${WEEKDAYS[weekdayOf(given)]}. Which day of the week is it ${later} days after that?`,
    form: 'the day of the week',
    right: WEEKDAYS[right] ?? '',
    wrong: [1, 6, 2].map((off) => WEEKDAYS[(right + off) % 7] ?? ''),
    read: readWeekday,
  };
}

/** A date some weeks after another. */
export function dateAfter(random: SeededRandom): Question {
  const given = someDay(random);
  const later = random.between(25, 75);
  const right = given + later;
  return dateQuestion(`Which date is ${later} days after ${spokenDate(given)}?`, right, [right + 1, right - 1]);
}

/** The days from one date to another. */
export function daysBetween(random: SeededRandom): Question {
  const given = someDay(random);
  const right = random.between(30, 120);
  return {
    text: `An exhibition opens on ${spokenDate(given)} and closes on ${spokenDate(given + right)}. How many days after the opening is the closing?`,
    form: 'the number of days, in digits',
    right: String(right),
    wrong: differing(right, [right + 1, right - 1, right + 2]).map(String),
    read: (value) => readNumber(value, ['day', 'days', 'after', 'opening']),
  };
}
