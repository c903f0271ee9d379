import type { Question } from '../question.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { dateQuestion, differing, someDay } from './date-question.ts';
import { type Day, isoDate, isWorkday, spokenDate } from './days.ts';
import { readDate } from './read-date.ts';

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
/** Pairs of rhythms that meet sooner or later, whenever they begin. */
const RHYTHMS = [
  [7, 9],
  [8, 11],
  [9, 13],
  [10, 17],
  [11, 14],
  [12, 19],
] as const;

/** The day on which so many workdays are over. */
export function lastWorkday(random: SeededRandom): Question {
  let first = someDay(random);
  while (!isWorkday(first)) first += 1;
  const count = random.between(40, 140);
  const right = nthWorkday(first, count);
  return dateQuestion(
    `A job takes ${count} working days. Its first working day is ${spokenDate(first)}. Work is done from Monday to Friday, and no holiday falls in that time. On which date is its last working day?`,
    right,
    [nthWorkday(first, count + 1), nthWorkday(first, count - 1), first + count - 1],
  );
}

/** The first day on which two rhythms meet. */
export function bothOnOneDay(random: SeededRandom): Question {
  const [short, long] = random.pick(RHYTHMS);
  const first = someDay(random);
  const other = first + random.between(1, short - 1);
  const right = meeting({ first, every: short }, { first: other, every: long });
  return dateQuestion(
    `Pump A is serviced on ${spokenDate(first)} and every ${short} days after that. Pump B is serviced on ${spokenDate(other)} and every ${long} days after that. Which is the first date on which both pumps are serviced?`,
    right,
    [right + short, right - long, first + short * long],
  );
}

/** When a flight arrives that crosses time zones. */
export function landing(random: SeededRandom): Question {
  const leaves = someDay(random) * DAY_MINUTES + 5 * random.between(0, 287);
  const takes = 5 * random.between(80, 190);
  const [from = 0, to = 0] = random.sample([-9, -8, -6, -5, -3, 1, 2, 3, 7, 8, 9, 10], 2);
  const right = leaves + takes + (to - from) * HOUR_MINUTES;
  return {
    text: `A plane takes off on ${spokenDate(Math.floor(leaves / DAY_MINUTES))} at ${clockTime(leaves)} local time (${zone(from)}) and lands ${Math.floor(takes / HOUR_MINUTES)} hours and ${takes % HOUR_MINUTES} minutes later at a place whose local time is ${zone(to)}. At which local date and time does it land?`,
    form: 'the local date and time as YYYY-MM-DD HH:MM, on the 24-hour clock',
    right: moment(right),
    wrong: differing(right, [leaves + takes, leaves + takes + (from - to) * HOUR_MINUTES, right + HOUR_MINUTES]).map(
      moment,
    ),
    read: (value) => readMoment(value, zone(to)),
  };
}

function nthWorkday(first: Day, count: number): Day {
  let day = first;
  for (let left = count - 1; left > 0; ) {
    day += 1;
    if (isWorkday(day)) left -= 1;
  }
  return day;
}

interface Rhythm {
  readonly first: Day;
  readonly every: number;
}

function meeting(one: Rhythm, other: Rhythm): Day {
  let day = other.first;
  while ((day - one.first) % one.every !== 0) day += other.every;
  return day;
}

function zone(hours: number): string {
  return `UTC${hours < 0 ? '-' : '+'}${Math.abs(hours)}`;
}

function moment(minutes: number): string {
  return `${isoDate(Math.floor(minutes / DAY_MINUTES))} ${clockTime(minutes)}`;
}

function clockTime(minutes: number): string {
  const ofDay = minutes % DAY_MINUTES;
  return [Math.floor(ofDay / HOUR_MINUTES), ofDay % HOUR_MINUTES]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** `2027-03-14 18:25`, also with a `T`, a comma or `at` between and the zone behind it, and on the 24-hour clock only. */
function readMoment(value: string, zoneThere: string): string | undefined {
  const local = value
    .replace(/[().]/g, ' ')
    .trim()
    .replace(/ ?local time$/i, '')
    .replace(/ ?UTC ?[-+]\d{1,2}$/, (said) => (said.replaceAll(' ', '') === zoneThere ? '' : said));
  const found = /^(.{6,60}?)(?:,? at |T|, | )([01]?\d|2[0-3]):([0-5]\d)(?::00)?$/.exec(local.trim());
  const date = found?.[1] && readDate(found[1]);
  return date ? `${date} ${found?.[2]?.padStart(2, '0')}:${found?.[3]}` : undefined;
}
