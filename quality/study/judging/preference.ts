import type { Judgement } from './judgement.ts';

/** How the first of two arms came out beside the second, by one judge. */
export interface Preference {
  /** From -1, the second is better in both orders, to 1. */
  readonly margin: number;
  /** Whether the other order gave another verdict; undefined where only one could be used. */
  readonly isFlipped: boolean | undefined;
  /** Characters that the first is longer. */
  readonly longerBy: number;
}

/** What a judgement of two answers says; undefined where the judge gave no usable scores. */
export function preferenceOf({ readings, lengths: [first = 0, second = 0] }: Judgement): Preference | undefined {
  const verdicts = readings.map(([ours = 0, theirs = 0]) => Math.sign(ours - theirs));
  const [one, other] = verdicts;
  if (one === undefined) return undefined;
  return {
    margin: verdicts.reduce((sum, verdict) => sum + verdict, 0) / verdicts.length,
    isFlipped: other === undefined ? undefined : one !== other,
    longerBy: first - second,
  };
}
