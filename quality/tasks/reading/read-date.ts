/** Days of the Gregorian calendar as numbers, counted from 1 January 1970. */
export type Day = number;

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
] as const;
const DAY_MS = 86_400_000;
const EPOCH_WEEKDAY = 4;
const CHARACTERS_MAX = 80;
const DATES: readonly {
  readonly pattern: RegExp;
  readonly order: readonly [year: number, month: number, date: number];
}[] = [
  { pattern: /^(\d{4})-(\d{1,2})-(\d{1,2})$/, order: [1, 2, 3] },
  { pattern: /^(\d{1,2})(?:st|nd|rd|th)?\.? (?:of )?([a-z]{3,9})\.? (\d{4})$/, order: [3, 2, 1] },
  { pattern: /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)? (\d{4})$/, order: [3, 1, 2] },
];

/** The day of a date; months from 1 to 12. Undefined for a date that there is not. */
export function dayOf(year: number, month: number, date: number): Day | undefined {
  const day = Date.UTC(year, month - 1, date) / DAY_MS;
  const pad = (number: number): string => String(number).padStart(2, '0');
  return isoDate(day) === `${year}-${pad(month)}-${pad(date)}` ? day : undefined;
}

/** `2027-03-14` */
export function isoDate(day: Day): string {
  const date = new Date(day * DAY_MS);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

/** 0 for a Sunday. */
export function weekdayOf(day: Day): number {
  return (((day + EPOCH_WEEKDAY) % 7) + 7) % 7;
}

/** A date as `2027-03-14`, however it is written, unless it may be read in two ways or its weekday is another one. */
export function readDate(value: string): string | undefined {
  const { weekdays, rest } = wordsOf(value);
  const day = dayNamed(rest.filter((word) => word !== 'the' && word !== 'on').join(' '));
  return day !== undefined && weekdays.every((weekday) => weekday === weekdayOf(day)) ? isoDate(day) : undefined;
}

/** The name of the only weekday in a value that says nothing else, except perhaps its date. */
export function readWeekday(value: string): string | undefined {
  const { weekdays, rest } = wordsOf(value);
  const date = rest.filter((word) => !['it', 'is', 'a', 'on', 'the'].includes(word)).join(' ');
  const [only] = weekdays;
  if (weekdays.length !== 1 || only === undefined) return undefined;
  const day = date === '' ? only - EPOCH_WEEKDAY : dayNamed(date);
  return day !== undefined && weekdayOf(day) === only ? WEEKDAYS[only] : undefined;
}

/** The weekdays in a value, by their numbers, and its other words. */
function wordsOf(value: string): { readonly weekdays: readonly number[]; readonly rest: readonly string[] } {
  if (value.length > CHARACTERS_MAX) return { weekdays: [], rest: [] };
  const words = value.toLowerCase().replace(/[,()]/g, ' ').replace(/\.$/, '').split(/\s+/).filter(Boolean);
  const weekdays = words.map(weekdayNamed).filter((weekday) => weekday !== undefined);
  return { weekdays, rest: words.filter((word) => weekdayNamed(word) === undefined) };
}

function dayNamed(date: string): Day | undefined {
  for (const { pattern, order } of DATES) {
    const found = pattern.exec(date);
    if (!found) continue;
    const [year = '', month = '', day = ''] = order.map((group) => found[group]);
    return dayOf(Number(year), monthNamed(month), Number(day));
  }
  return undefined;
}

function monthNamed(word: string): number {
  if (/^\d+$/.test(word)) return Number(word);
  return 1 + MONTHS.findIndex((name) => name.toLowerCase().startsWith(word));
}

function weekdayNamed(word: string): number | undefined {
  const at = WEEKDAYS.findIndex((name) => name.toLowerCase() === word || name.slice(0, 3).toLowerCase() === word);
  return at < 0 ? undefined : at;
}
