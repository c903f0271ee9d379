import { costOf } from '../analysis/advice.ts';
import type { Analysis } from '../analysis/analyse.ts';
import { singleArm } from '../finished-run.ts';
import type { ExactShare } from '../statistics/exact-share.ts';
import { mean } from '../statistics/mean-interval.ts';
import { percent, points } from './cells.ts';

/** The line that tells what choosing between the members can win at most, and at what price; none where it is not known. */
export function ceilingWords(analysis: Analysis): string[] {
  const { ceiling } = analysis;
  if (!ceiling || ceiling.members.length < 2) return [];
  const { members, allWrong, bestSingle, gain, passedBy } = ceiling;
  const most = { mean: 1 - allWrong.mean, low: 1 - allWrong.high, high: 1 - allWrong.low };
  return [
    `Best single ${percent(bestSingle)} %, all ${members.length} together cannot pass ${sharesOf(most)}: at most ` +
      `${points(gain.mean)} points [${percent(gain.low)}, ${percent(gain.high)}]${priceWords(analysis)}. ` +
      `By first answers to ${allWrong.tasks} tasks, for every router, vote or choice between drafts; ` +
      `a synthesis that writes something new may pass it${passedBy.length > 0 ? `, as ${passedBy.join(', ')} did` : ''}.`,
  ];
}

/** A share in percent with its interval: `91.0 % [88.0, 93.4]`. */
export function sharesOf({ mean: share, low, high }: Pick<ExactShare, 'mean' | 'low' | 'high'>): string {
  return `${percent(share)} % [${percent(low)}, ${percent(high)}]`;
}

/** The price of the strategies by that of the best single model: ` for 3.9 to 6.1 × the price`. */
function priceWords(analysis: Analysis): string {
  const { rows, crossFit, spentIn } = analysis;
  const cost = costOf(analysis);
  const singles = crossFit.bestFor.flatMap((model) => rows.filter(({ arm }) => arm === singleArm(model)));
  const single = mean(singles.map(cost));
  const times = rows.filter(({ kind }) => kind === 'strategy').map((row) => cost(row) / (single || Number.NaN));
  const ends = [...new Set([Math.min(...times), Math.max(...times)].map((one) => one.toFixed(1)))];
  return times.length > 0 && times.every(Number.isFinite)
    ? ` for ${ends.join(' to ')} × the ${spentIn === 'usd' ? 'price' : 'calls'}`
    : '';
}
