const LOW = 0.025;
/** Halvings of an interval, after which no digit changes. */
const HALVINGS = 60;

/** A share of tasks that was counted, with its exact interval of 95 % (Clopper and Pearson). */
export interface ExactShare {
  readonly count: number;
  readonly tasks: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** The share of `count` of `tasks`, each of which is one independent observation. */
export function exactShare(count: number, tasks: number): ExactShare {
  const high = 1 - lowEnd(tasks - count, tasks);
  return { count, tasks, mean: count / tasks, low: lowEnd(count, tasks), high };
}

/** The two-sided p of the exact sign test, which is McNemar's: so many tasks for the one, so many for the other. */
export function signTest(one: number, other: number): number {
  return Math.min(1, 2 * atLeast(Math.max(one, other), one + other)(0.5));
}

/** The share under which so many, or more, are seen in 2.5 % of studies. It is below what was seen. */
function lowEnd(count: number, tasks: number): number {
  const chance = atLeast(count, tasks);
  let [low, high] = [0, count / tasks];
  for (let step = 0; step < HALVINGS && count > 0; step += 1) {
    const middle = (low + high) / 2;
    if (chance(middle) > LOW) high = middle;
    else low = middle;
  }
  return low;
}

/** The chance of `count` or more of `tasks`, by the share (binomial). From a count at or above its mean on, terms only fall: none is lost. */
function atLeast(count: number, tasks: number): (share: number) => number {
  let ways = 0;
  for (let one = 1; one <= count; one += 1) ways += Math.log((tasks - count + one) / one);
  return (share) => {
    let term = Math.exp(ways + count * Math.log(share) + (tasks - count) * Math.log1p(-share));
    let sum = term;
    for (let more = count; more < tasks && term > sum * Number.EPSILON; more += 1) {
      term *= ((tasks - more) / (more + 1)) * (share / (1 - share));
      sum += term;
    }
    return sum;
  };
}
