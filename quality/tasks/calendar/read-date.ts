import { dayOf, isoDate, MONTHS, WEEKDAYS, weekdayOf } from './days.ts';

const CHARACTERS_MAX = 80;
const DATES: readonly {
  readonly pattern: RegExp;
  readonly order: readonly [year: number, month: number, date: number];
}[] = [
  { pattern: /^(\d{4})-(\d{1,2})-(\d{1,2})$/, order: [1, 2, 3] },
  { pattern: /^(\d{1,2})(?:st|nd|rd|th)?\.? (?:of )?([a-z]{3,9})\.? (\d{4})$/, order: [3, 2, 1] },
  { pattern: /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)? (\d{4})$/, order: [3, 1, 2] },
];

/** A date as `2027-03-14`, however it is written, unless it may be read in two ways or its weekday is another one. */
export function readDate(value: string): string | undefined {
  if (value.length > CHARACTERS_MAX) return undefined;
  const words = value.toLowerCase().replace(/[,()]/g, ' ').replace(/\.$/, '').split(/\s+/).filter(Boolean);
  const named = words.map(weekdayNamed).filter((weekday) => weekday !== undefined);
  const date = words.filter((word) => weekdayNamed(word) === undefined && word !== 'the' && word !== 'on').join(' ');
  const day = dayNamed(date);
  return day !== undefined && named.every((weekday) => weekday === weekdayOf(day)) ? isoDate(day) : undefined;
}

/** The name of the only weekday in a value that says nothing else, except perhaps its date. */
export function readWeekday(value: string): string | undefined {
  if (value.length > CHARACTERS_MAX) return undefined;
  const words = value
    .toLowerCase()
    .replace(/[,.()]/g, ' ')
    .split(/\s+/)
    .filter(Boolean);
  const named = words.map(weekdayNamed).filter((weekday) => weekday !== undefined);
  const rest = words.filter(
    (word) => weekdayNamed(word) === undefined && !['it', 'is', 'a', 'on', 'the'].includes(word),
  );
  const [only] = named;
  if (named.length !== 1 || only === undefined) return undefined;
  const day = rest.length === 0 ? undefined : dayNamed(rest.join(' '));
  return rest.length === 0 || (day !== undefined && weekdayOf(day) === only) ? WEEKDAYS[only] : undefined;
}

function dayNamed(date: string): number | undefined {
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
