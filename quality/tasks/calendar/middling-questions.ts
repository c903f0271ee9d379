import type { Question } from '../question.ts';
import { readNumber } from '../reading/read-number.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { dateQuestion, differing, someDay } from './date-question.ts';
import { type Day, dayOf, isWorkday, MONTHS, spokenDate, WEEKDAYS, weekdayOf } from './days.ts';

const ORDINALS = ['first', 'second', 'third', 'fourth'] as const;

/** The third Tuesday of a month. */
export function nthWeekday(random: SeededRandom): Question {
  const year = random.between(2001, 2039);
  const month = random.between(1, 12);
  const weekday = random.below(7);
  const nth = random.between(1, 4);
  const first = dayOf(year, month, 1) ?? 0;
  const right = first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1);
  return dateQuestion(
    `Which date is the ${ORDINALS[nth - 1]} ${WEEKDAYS[weekday]} in ${MONTHS[month - 1]} ${year}?`,
    right,
    [right + 7, right - 1, right + 1],
  );
}

/** A date a year or more after another, so that leap days count. */
export function longAfter(random: SeededRandom): Question {
  const given = someDay(random);
  const later = random.between(300, 1_500);
  const right = given + later;
  return dateQuestion(`Which date is ${later} days after ${spokenDate(given)}?`, right, [
    right + 1,
    right - 1,
    right + 2,
  ]);
}

/** The days from Monday to Friday in a stretch of time. */
export function workdaysBetween(random: SeededRandom): Question {
  const first = someDay(random);
  const last = first + random.between(30, 120);
  const right = workdays(first, last);
  return {
    text: `How many days from Monday to Friday are there from ${spokenDate(first)} to ${spokenDate(last)}, the first and the last day included? Holidays count like other days.`,
    form: 'the number of days, in digits',
    right: String(right),
    wrong: differing(right, [
      workdays(first + 1, last),
      workdays(first, last - 1),
      right + 2,
      right - 2,
      right + 1,
    ]).map(String),
    read: (value) => readNumber(value, ['day', 'days', 'weekdays', 'workdays', 'working']),
  };
}

function workdays(first: Day, last: Day): number {
  let count = 0;
  for (let day = first; day <= last; day += 1) if (isWorkday(day)) count += 1;
  return count;
}
