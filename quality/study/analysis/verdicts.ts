import { holm } from '../statistics/holm.ts';
import type { Interval } from '../statistics/mean-interval.ts';

/** What a comparison comes to, all strategies taken together (Holm, 5 %). */
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
