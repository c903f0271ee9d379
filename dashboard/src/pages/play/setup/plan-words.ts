import type { Schema } from '../../../api/client';
import { count, usd } from '../../../ui/format-number';

const SECONDS_A_MINUTE = 60;

/** The limits of a run in one line: `at most 8 calls in 3 steps · $0.01 to $0.03 · up to 2 min`. */
export function planWords({ calls, waves, costUsd, seconds, unpricedModels = [] }: Schema<'Plan'>, locale?: string) {
  const steps = waves.length === 1 ? '1 step' : `${waves.length} steps`;
  const one = calls === 1 ? '1 call' : `at most ${count(calls, locale)} calls in ${steps}`;
  return [one, costWords(costUsd, unpricedModels, locale), `up to ${timeWords(seconds)}`].join(' · ');
}

/** A price that is not known is said to be so, and is never shown as 0. */
function costWords({ low, high }: Schema<'Forecast'>, unpriced: readonly string[], locale?: string): string {
  if (high === 0 && unpriced.length > 0) return 'not priced';
  const range =
    usd(low, locale) === usd(high, locale) ? usd(high, locale) : `${usd(low, locale)} to ${usd(high, locale)}`;
  return unpriced.length > 0 ? `${range}, without ${unpriced.join(', ')} (not priced)` : range;
}

function timeWords(seconds: number): string {
  if (seconds < SECONDS_A_MINUTE) return `${Math.max(1, Math.round(seconds))} s`;
  return `${Math.round(seconds / SECONDS_A_MINUTE)} min`;
}
