import type { FinishedRun } from '../finished-run.ts';
import { mean } from '../statistics/mean-interval.ts';
import type { Turn } from './turns.ts';
import { isRight } from './turns.ts';

/** The spend of a run: its cost, or where prices are not known the calls that it made. */
export type SpendOf = (run: FinishedRun) => number;

/** The spend of a study: in dollars where every model has a price, else in calls. Arms of other servers have none to be matched. */
export function spendOf(
  all: Iterable<FinishedRun>,
  external: readonly string[],
): { readonly unit: 'usd' | 'calls'; readonly of: SpendOf } {
  const runs = [...all].filter(({ arm }) => !external.includes(arm));
  const inUsd = runs.every(({ isPriced }) => isPriced) && runs.some(({ costNanoUsd }) => costNanoUsd > 0);
  return inUsd ? { unit: 'usd', of: ({ costNanoUsd }) => costNanoUsd } : { unit: 'calls', of: ({ calls }) => calls };
}

/** The first samples that together spend no more than this; always one. */
export function samplesFor(spend: number, samples: readonly FinishedRun[], of: SpendOf): readonly FinishedRun[] {
  let spent = 0;
  const beyond = samples.findIndex((sample) => {
    spent += of(sample);
    // Sums of costs are whole; a hair more is how those of calls were rounded.
    return spent > spend * (1 + 1e-9);
  });
  return beyond < 0 ? samples : samples.slice(0, Math.max(1, beyond));
}

/**
 * The share by which an arm was right more often on a task than the majority of as many samples of the best single model as
 * each of its runs cost. Undefined where there are no samples beside it.
 */
export function overEqualSpend(
  turns: readonly Turn[],
  sampled: readonly Turn[] | undefined,
  of: SpendOf,
): number | undefined {
  const differences = turns.flatMap((turn) => {
    const samples = sampled?.find(({ repeat }) => repeat === turn.repeat)?.runs;
    if (!samples) return [];
    const spend = turn.runs.reduce((sum, run) => sum + of(run), 0);
    const [ours, theirs] = [isRight(turn), isRight({ runs: samplesFor(spend, samples, of) })];
    return ours === undefined || theirs === undefined ? [] : [Number(ours) - Number(theirs)];
  });
  return mean(differences);
}
