import { differing, type Question } from './answer-line-task.ts';
import { type Day, dayOf, isoDate, MONTHS, readDate, readWeekday, WEEKDAYS, weekdayOf } from './reading/read-date.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Difficulty } from './task.ts';

const ORDINALS = ['first', 'second', 'third', 'fourth'] as const;
/** Pairs of rhythms that meet sooner or later, whenever they begin. */
const RHYTHMS = [
  [7, 9],
  [8, 11],
  [9, 13],
  [10, 17],
  [11, 14],
  [12, 19],
] as const;
const MAKERS: Readonly<Record<Difficulty, readonly ((random: SeededRandom) => Question)[]>> = {
  1: [weekdayOn, (random) => dateAfter(random, random.between(25, 75))],
  // Over a year or more leap days count.
  2: [nthWeekday, (random) => dateAfter(random, random.between(300, 1_500))],
  3: [lastWorkday, bothOnOneDay],
};

/** A question about dates. */
export function calendarQuestion(random: SeededRandom, difficulty: Difficulty): Question {
  return random.pick(MAKERS[difficulty])(random);
}

/** The weekday some weeks after one that is given. */
function weekdayOn(random: SeededRandom): Question {
  const given = someDay(random);
  const later = random.between(20, 90);
  const right = weekdayOf(given + later);
  return {
    text: `${spoken(given)} is a ${WEEKDAYS[weekdayOf(given)]}. Which day of the week is it ${later} days after that?`,
    form: 'the day of the week',
    right: WEEKDAYS[right] ?? '',
    wrong: [1, 6, 2].map((off) => WEEKDAYS[(right + off) % 7] ?? ''),
    read: readWeekday,
  };
}

function dateAfter(random: SeededRandom, later: number): Question {
  const given = someDay(random);
  return dateQuestion(`Which date is ${later} days after ${spoken(given)}?`, given + later, []);
}

/** The third Tuesday of a month. */
function nthWeekday(random: SeededRandom): Question {
  const [year, month, weekday, nth] = [
    random.between(2001, 2039),
    random.between(1, 12),
    random.below(7),
    random.between(1, 4),
  ];
  const first = dayOf(year, month, 1) ?? 0;
  const right = first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (nth - 1);
  const text = `Which date is the ${ORDINALS[nth - 1]} ${WEEKDAYS[weekday]} in ${MONTHS[month - 1]} ${year}?`;
  return dateQuestion(text, right, [right + 7]);
}

/** The day on which so many workdays are over. */
function lastWorkday(random: SeededRandom): Question {
  let first = someDay(random);
  while (!isWorkday(first)) first += 1;
  const count = random.between(40, 140);
  return dateQuestion(
    `A job takes ${count} working days. Its first working day is ${spoken(first)}. Work is done from Monday to Friday, and no holiday falls in that time. On which date is its last working day?`,
    nthWorkday(first, count),
    [nthWorkday(first, count + 1), nthWorkday(first, count - 1), first + count - 1],
  );
}

/** The first day on which two rhythms meet. */
function bothOnOneDay(random: SeededRandom): Question {
  const [short, long] = random.pick(RHYTHMS);
  const first = someDay(random);
  const other = first + random.between(1, short - 1);
  let right = other;
  while ((right - first) % short !== 0) right += long;
  return dateQuestion(
    `Pump A is serviced on ${spoken(first)} and every ${short} days after that. Pump B is serviced on ${spoken(other)} and every ${long} days after that. Which is the first date on which both pumps are serviced?`,
    right,
    [right + short, right - long, first + short * long],
  );
}

/** A question for a date; `wrong` are the days of likely slips, most likely first. */
function dateQuestion(text: string, right: Day, wrong: readonly Day[]): Question {
  const slips = differing(right, [...wrong, right + 1, right - 1, right + 7]);
  return { text, form: 'the date as YYYY-MM-DD', right: isoDate(right), wrong: slips.map(isoDate), read: readDate };
}

function someDay(random: SeededRandom): Day {
  return random.between(dayOf(2001, 1, 1) ?? 0, dayOf(2039, 12, 31) ?? 0);
}

/** `14 March 2027` */
function spoken(day: Day): string {
  const [year, month, date] = isoDate(day).split('-').map(Number);
  return `${date} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

function isWorkday(day: Day): boolean {
  return weekdayOf(day) >= 1 && weekdayOf(day) <= 5;
}

function nthWorkday(first: Day, count: number): Day {
  let day = first;
  for (let left = count - 1; left > 0; ) {
    day += 1;
    if (isWorkday(day)) left -= 1;
  }
  return day;
}
