import { advice } from '../analysis/advice';
import { singleArm } from '../finished-run';
import { dollars, percent } from '../report/cells';
import { requestOf, singleModels } from '../run/arms';
import { Stopped } from '../service/stopped';
import { keptStudy } from './kept-study';

/** What the study in a folder advises: the cheapest arm that is not significantly worse than the best, and how to use it. */
export function adviseOn(folder: string): string {
  const { study, analysis, panel } = keptStudy(folder);
  const advised = advice(study, analysis);
  if (!advised || advised.best.correct?.mean === 0)
    throw new Stopped('failed', `--out ${folder} holds no answer that is known to be right`);
  const { best, cheapest, worse } = advised;
  const told = (row: typeof best): string =>
    `${row.arm} (${percent(row.correct?.mean ?? 0)} % correct, ${dollars(row.usdPerAnswer)} an answer)`;
  const isSingle = singleModels(panel).some((model) => singleArm(model) === cheapest.arm);
  const { model, ai_ensemble } = requestOf(cheapest.arm, panel);
  return [
    `Use ${told(cheapest)}.`,
    best === cheapest ? 'No arm was right more often.' : `The best is ${told(best)}; the difference is within chance.`,
    worse.length > 0
      ? `Worse than the best beyond chance: ${worse.join(', ')}.`
      : 'No arm is worse than the best beyond chance.',
    '',
    isSingle ? 'One model is enough: the fields of a request are' : 'The fields of a request are',
    '',
    JSON.stringify(isSingle ? { model } : { model, ai_ensemble }, null, 2),
  ].join('\n');
}
