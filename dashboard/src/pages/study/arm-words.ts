import { usd } from '../../ui/format-number';
import { MS_A_SECOND } from '../../ui/time-units';

interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** `81.0% [74, 88]`. */
export function percentWords({ mean, low, high }: Interval): string {
  return `${(100 * mean).toFixed(1)}% [${(100 * low).toFixed(0)}, ${(100 * high).toFixed(0)}]`;
}

/** `81%`; a dash where it is not known. */
export function shareWords(share: number | null | undefined): string {
  return typeof share === 'number' ? `${(100 * share).toFixed(0)}%` : '–';
}

/** `+4.2 [−1.0, +9.1] wins`; a dash where there is nothing to compare. */
export function differenceWords(difference: (Interval & { readonly verdict: string | null }) | null): string {
  if (!difference) return '–';
  const { mean, low, high, verdict } = difference;
  const words = `${points(mean)} [${points(low)}, ${points(high)}]`;
  return verdict === null ? words : `${words} ${verdict}`;
}

/** The price of a right answer, or why it cannot be said. */
export function priceWords({
  usdPerCorrect,
  correct,
}: {
  readonly usdPerCorrect: number | null;
  readonly correct: Interval | null;
}): string {
  if (usdPerCorrect !== null) return usd(usdPerCorrect);
  return correct?.mean === 0 ? 'none was right' : 'not priced';
}

/** The median and the 95th percentile in seconds: `0.42 / 1.80 s`. */
export function firstTextWords({ p50, p95 }: { readonly p50: number | null; readonly p95: number | null }): string {
  return p50 === null || p95 === null ? '–' : `${seconds(p50)} / ${seconds(p95)} s`;
}

function seconds(ms: number): string {
  return (ms / MS_A_SECOND).toFixed(2);
}

function points(share: number): string {
  const figure = (100 * Math.abs(share)).toFixed(1);
  if (figure === '0.0') return figure;
  return share < 0 ? `−${figure}` : `+${figure}`;
}
