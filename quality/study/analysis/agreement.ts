import { singleArm } from '../finished-run.ts';
import { type Judgement, preferenceOf } from '../judging.ts';
import type { Label } from '../questions/ratings.ts';
import { type ExactShare, exactShare } from '../statistics/exact-share.ts';
import { mean } from '../statistics/mean-interval.ts';
import type { CrossFit } from './best-single.ts';
import { shareRight, type TurnsByTask } from './turns.ts';

/** Share of ratings with which a study agrees about an arm's new answer. */
export interface Agreement {
  readonly share: ExactShare;
  /** Agreement of one who says the same of all. */
  readonly sameOfAll: number;
}

/** The labels of users, and what a study has found by itself. */
export interface Labelled {
  readonly labels: Readonly<Record<string, readonly Label[]>>;
  readonly judgements: readonly Judgement[];
  readonly byArm: ReadonlyMap<string, TurnsByTask>;
  readonly fit: Pick<CrossFit, 'bestForTask'>;
}

/**
 * The agreement with users. A good answer is right by its check, or preferred to the best single model's by most judges; a tie says nothing,
 * and nor does an arm that was not compared. Undefined where nothing is left.
 */
export function agreementWith(study: Labelled): Agreement | undefined {
  const pairs = Object.entries(study.labels).flatMap(([task, labels]) =>
    labels.flatMap(({ arm, isGood }) => {
      const found = foundGood(study, { task, arm });
      return found === undefined ? [] : [{ isGood, found }];
    }),
  );
  if (pairs.length === 0) return undefined;
  const good = pairs.filter(({ isGood }) => isGood).length;
  const agreed = pairs.filter(({ isGood, found }) => isGood === found).length;
  return { share: exactShare(agreed, pairs.length), sameOfAll: Math.max(good, pairs.length - good) };
}

function foundGood(
  study: Labelled,
  { task, arm }: { readonly task: string; readonly arm: string },
): boolean | undefined {
  const { judgements, byArm, fit } = study;
  const right = shareRight(byArm.get(arm)?.get(task));
  const arms = `${arm} | ${singleArm(fit.bestForTask(task))}`;
  const compared = judgements.filter((one) => one.task === task && one.arms.join(' | ') === arms);
  const margins = compared.flatMap((one) => preferenceOf(one)?.margin ?? []);
  const margin = right === undefined ? mean(margins) : right - 0.5;
  return margin ? margin > 0 : undefined;
}
