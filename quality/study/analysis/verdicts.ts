import type { Interval } from '../statistics/mean-interval.ts';

/** The p values of several tests, adjusted after Holm: what is below a limit then is so with all of them together. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, index) => index).sort((a, b) => (ps[a] as number) - (ps[b] as number));
  const adjusted = [...ps];
  let highest = 0;
  for (const [rank, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (ps.length - rank) * (ps[index] as number)));
    adjusted[index] = highest;
  }
  return adjusted;
}

/** The result of a comparison, all strategies taken together (Holm, 5 %). */
export type Verdict = 'wins' | 'loses' | 'no difference shown';

/** A figure with its verdict, where it is one of several that are judged together. */
export type Judged<Figure> = Figure & { readonly verdict: Verdict | undefined };

const LEVEL = 0.05;

/** Says of each row's figure whether it wins or loses: the p values of all of them are adjusted together. */
export function withVerdicts<
  Field extends string,
  Row extends { readonly [name in Field]: Judged<Interval> | undefined },
>(rows: readonly Row[], field: Field, isJudged: (row: Row) => boolean = () => true): Row[] {
  const judged = rows.filter((row) => isJudged(row) && row[field]);
  const ps = holm(judged.map((row) => row[field]?.p ?? 1));
  return rows.map((row) => {
    const [figure, index] = [row[field], judged.indexOf(row)];
    if (!figure || index < 0) return row;
    return { ...row, [field]: { ...figure, verdict: verdictOf(figure.mean, ps[index] as number) } };
  });
}

function verdictOf(mean: number, p: number): Verdict {
  if (p > LEVEL) return 'no difference shown';
  return mean > 0 ? 'wins' : 'loses';
}
