import type { Question } from '../question.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { type Day, dayOf, isoDate } from './days.ts';
import { readDate } from './read-date.ts';

const YEARS = { first: 2001, last: 2039 } as const;
const WRONG_COUNT = 3;

/** A day of this age. */
export function someDay(random: SeededRandom): Day {
  const first = dayOf(YEARS.first, 1, 1) ?? 0;
  const last = dayOf(YEARS.last, 12, 31) ?? 0;
  return random.between(first, last);
}

/** A question for a date; `wrong` are the days of likely slips, most likely first. */
export function dateQuestion(text: string, right: Day, wrong: readonly Day[]): Question {
  return {
    text,
    form: 'the date as YYYY-MM-DD',
    right: isoDate(right),
    wrong: differing(right, [...wrong, right + 1, right - 1, right + 7]).map(isoDate),
    read: readDate,
  };
}

/** The first few values that differ from the right one and from each other. */
export function differing(right: number, wrong: readonly number[]): number[] {
  return [...new Set(wrong.filter((value) => value !== right && value >= 0))].slice(0, WRONG_COUNT);
}
