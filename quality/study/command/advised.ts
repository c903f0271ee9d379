import { advice } from '../analysis/advice.ts';
import type { ArmRow } from '../analysis/analyse.ts';
import { singleArm } from '../finished-run.ts';
import { dollars, percent } from '../report/cells.ts';
import { requestOf, singleModels } from '../run/arms.ts';
import type { KeptStudy } from './kept-study.ts';

/** What a study advises, in words, and how to use it. */
export interface Advised {
  readonly arm: string;
  readonly isSingle: boolean;
  readonly reasons: readonly string[];
  /** The fields of a request. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The cheapest arm that is not significantly worse than the best; undefined where no answer is known to be right. */
export function advisedIn({ study, analysis, panel }: KeptStudy): Advised | undefined {
  const found = advice(study, analysis);
  if (!found || found.best.correct?.mean === 0) return undefined;
  const { best, cheapest, worse } = found;
  const isSingle = singleModels(panel).some((model) => singleArm(model) === cheapest.arm);
  const { model, ai_ensemble } = requestOf(cheapest.arm, panel);
  return {
    arm: cheapest.arm,
    isSingle,
    reasons: [
      `Use ${told(cheapest)}.`,
      best === cheapest
        ? 'No arm was right more often.'
        : `The best is ${told(best)}; the difference is within chance.`,
      worse.length > 0
        ? `Worse than the best beyond chance: ${worse.join(', ')}.`
        : 'No arm is worse than the best beyond chance.',
    ],
    settings: isSingle ? { model } : { model, ai_ensemble },
  };
}

function told({ arm, correct, usdPerAnswer }: ArmRow): string {
  return `${arm} (${percent(correct?.mean ?? 0)} % correct, ${dollars(usdPerAnswer)} an answer)`;
}
