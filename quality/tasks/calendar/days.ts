/** Days of the Gregorian calendar as numbers, counted from 1 January 1970. */
export type Day = number;

export const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
export const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
] as const;
const DAY_MS = 86_400_000;
const EPOCH_WEEKDAY = 4;

/** The day of a date; months from 1 to 12. Undefined for a date that there is not. */
export function dayOf(year: number, month: number, date: number): Day | undefined {
  const day = Date.UTC(year, month - 1, date) / DAY_MS;
  return isoDate(day) === `${year}-${pad(month)}-${pad(date)}` ? day : undefined;
}

/** `2027-03-14` */
export function isoDate(day: Day): string {
  const date = new Date(day * DAY_MS);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

/** `14 March 2027` */
export function spokenDate(day: Day): string {
  const date = new Date(day * DAY_MS);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** 0 for a Sunday. */
export function weekdayOf(day: Day): number {
  return (((day + EPOCH_WEEKDAY) % 7) + 7) % 7;
}

/** Whether a day lies from Monday to Friday. */
export function isWorkday(day: Day): boolean {
  return weekdayOf(day) >= 1 && weekdayOf(day) <= 5;
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
