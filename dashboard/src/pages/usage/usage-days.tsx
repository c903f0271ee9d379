import { count } from '../../ui/format-number';
import styles from './usage.module.css';
import { addUpMonths, gapIn, type Month, NOTHING } from './usage-lines';

const ALL = { id: 'all', name: 'All models and keys' };

/** The days of some months, each like a month with one line, so that the chart and the tables show it as they show months. */
export function daysOf(months: readonly Month[]): Month[] {
  return months.flatMap((ofMonth) => {
    const used = new Map(ofMonth.days.map(({ day, ...sums }) => [day, sums]));
    return daysIn(ofMonth.month).map((day) => {
      const sums = used.get(day) ?? NOTHING;
      const isCostless = sums.costUsd === 0 && sums.requests > 0 && gapIn(ofMonth) !== undefined;
      const lines = [{ ...ALL, ...sums, ...(isCostless && { costKnown: false as const }) }];
      return { month: day, ...sums, models: lines, keys: lines, days: [] };
    });
  });
}

/** Says what of some months is in none of their days: days are kept since a later version than months. */
export function UndatedUsage({ months }: { readonly months: readonly Month[] }) {
  const undated = addUpMonths(months).requests - addUpMonths(daysOf(months)).requests;
  if (undated <= 0) return null;
  return (
    <p className={styles.notes}>
      {count(undated)} {undated === 1 ? 'request is' : 'requests are'} in none of these days: they were made before days
      were kept.
    </p>
  );
}

function daysIn(month: string): string[] {
  const [year = 0, ofYear = 0] = month.split('-').map(Number);
  const length = new Date(Date.UTC(year, ofYear, 0)).getUTCDate();
  return Array.from({ length }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}
