import { type ExactShare, exactShare } from '../statistics/exact-share.ts';
import type { Ceiling, TaskDrafts } from './ceiling.ts';

/** A panel, and the share of tasks that all of it get wrong. */
export interface MeasuredPanel {
  readonly models: readonly string[];
  readonly allWrong: ExactShare;
}

/**
 * The panel of up to `size` members that leaves the fewest tasks to nobody; of equals the smaller one, then the cheaper one, then the one
 * that was named first. Sets of members are numbers, a bit a member.
 */
export function smallestPanel(
  { members, drafts }: Pick<Ceiling, 'members' | 'drafts'>,
  size: number,
  costOf: (model: string) => number,
): MeasuredPanel {
  const right = [...Map.groupBy(drafts, bitsOf)].map(([bits, { length }]) => ({ bits, count: length }));
  const models = (set: number): string[] => members.filter((_, place) => set & (1 << place));
  const wrongOf = (set: number): number => right.reduce((sum, { bits, count }) => sum + (bits & set ? 0 : count), 0);
  const priceOf = (set: number): number => models(set).reduce((sum, model) => sum + costOf(model), 0);
  let best = { set: 0, wrong: Number.POSITIVE_INFINITY, count: 0, price: 0 };
  for (let set = 1; set < 1 << members.length; set += 1) {
    const { length: count } = models(set);
    if (count > size) continue;
    const [wrong, price] = [wrongOf(set), priceOf(set)];
    const difference = wrong - best.wrong || count - best.count || price - best.price;
    if (difference < 0) best = { set, wrong, count, price };
  }
  return { models: models(best.set), allWrong: exactShare(best.wrong, drafts.length) };
}

function bitsOf({ rights }: TaskDrafts): number {
  return rights.reduce((bits, right, place) => (right ? bits | (1 << place) : bits), 0);
}
