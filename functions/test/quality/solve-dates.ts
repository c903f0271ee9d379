/** Answers the questions of the calendar tasks by walking from day to day, apart from what made them. */

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const DATE = `(\\d{1,2} (?:${MONTHS.join('|')}) \\d{4})`;

interface Day {
  readonly year: number;
  readonly month: number;
  readonly date: number;
}

const EASY: readonly [RegExp, (...words: string[]) => string][] = [
  [
    new RegExp(`^${DATE} is a (\\w+)\\. Which day of the week is it (\\d+) days after that\\?$`),
    (_, weekday, later) => WEEKDAYS[(WEEKDAYS.indexOf(weekday) + Number(later)) % 7] ?? '',
  ],
  [
    new RegExp(`^Which date is (\\d+) days after ${DATE}\\?$`),
    (later, given) => {
      let day = read(given);
      for (let left = Number(later); left > 0; left -= 1) day = next(day);
      return iso(day);
    },
  ],
  [
    new RegExp(
      `^An exhibition opens on ${DATE} and closes on ${DATE}\\. How many days after the opening is the closing\\?$`,
    ),
    (opening, closing) => String(walk(read(opening), read(closing)).length - 1),
  ],
  [
    /^Which date is the (\w+) (\w+) in (\w+) (\d{4})\?$/,
    (nth, weekday, month, year) => {
      const days = walk(read(`1 ${month} ${year}`), read(`28 ${month} ${year}`));
      const fitting = days.filter((day) => weekdayOf(day) === weekday);
      return iso(fitting[['first', 'second', 'third', 'fourth'].indexOf(nth)] as Day);
    },
  ],
  [
    new RegExp(
      `^How many days from Monday to Friday are there from ${DATE} to ${DATE}, the first and the last day included\\?`,
    ),
    (first, last) => String(walk(read(first), read(last)).filter(isWorkday).length),
  ],
];

const HARD: readonly [RegExp, (...words: string[]) => string][] = [
  [
    new RegExp(`^A job takes (\\d+) working days\\. Its first working day is ${DATE}\\.`),
    (count, first) => {
      const days = walk(read(first), { ...read(first), year: read(first).year + 1 });
      return iso(days.filter(isWorkday)[Number(count) - 1] as Day);
    },
  ],
  [
    new RegExp(
      `^Pump A is serviced on ${DATE} and every (\\d+) days after that\\. Pump B is serviced on ${DATE} and every (\\d+) days`,
    ),
    (first, every, other, otherEvery) => {
      const days = walk(read(first), { ...read(first), year: read(first).year + 2 });
      const start = days.findIndex((day) => iso(day) === iso(read(other)));
      return iso(
        days.find((_, at) => at >= start && at % Number(every) === 0 && (at - start) % Number(otherEvery) === 0) as Day,
      );
    },
  ],
  [
    new RegExp(
      `^A plane takes off on ${DATE} at (\\d\\d):(\\d\\d) local time \\(UTC([-+]\\d+)\\) and lands (\\d+) hours and (\\d+) minutes later at a place whose local time is UTC([-+]\\d+)\\.`,
    ),
    (day, hour, minute, from, hours, minutes, to) => {
      const departed = Date.parse(`${iso(read(day))}T${hour}:${minute}:00${offset(from)}`);
      const landed = new Date(departed + (Number(hours) * 60 + Number(minutes)) * 60_000);
      const there = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone: offset(to) });
      return there.format(landed);
    },
  ],
];

/** The value that is asked for. */
export function solveDates(text: string): string {
  for (const [pattern, answer] of [...EASY, ...HARD]) {
    const found = pattern.exec(text);
    if (found) return answer(...found.slice(1));
  }
  throw new Error(`not understood: ${text}`);
}

function read(spoken: string): Day {
  const [date, month = '', year] = spoken.split(' ');
  return { year: Number(year), month: MONTHS.indexOf(month) + 1, date: Number(date) };
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

function next({ year, month, date }: Day): Day {
  const length = month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  if (date < length) return { year, month, date: date + 1 };
  return month < 12 ? { year, month: month + 1, date: 1 } : { year: year + 1, month: 1, date: 1 };
}

function walk(first: Day, last: Day): Day[] {
  const days = [first];
  for (let day = first; iso(day) < iso(last); days.push(day)) day = next(day);
  return days;
}

/** By Zeller's congruence. */
function weekdayOf({ year, month, date }: Day): string {
  const [m, y] = month < 3 ? [month + 12, year - 1] : [month, year];
  const zeller =
    (date + Math.floor((13 * (m + 1)) / 5) + y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)) % 7;
  return WEEKDAYS[(zeller + 5) % 7] ?? '';
}

function isWorkday(day: Day): boolean {
  return !['Saturday', 'Sunday'].includes(weekdayOf(day));
}

function iso({ year, month, date }: Day): string {
  return [year, String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('-');
}

function offset(hours: string): string {
  return `${hours[0]}${hours.slice(1).padStart(2, '0')}:00`;
}
