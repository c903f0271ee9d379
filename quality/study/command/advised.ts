import { advice, costOf } from '../analysis/advice.ts';
import type { Analysis, ArmRow, StudyRuns } from '../analysis/analyse.ts';
import { analyse } from '../analysis/analyse.ts';
import { smallestPanel } from '../analysis/smallest-panel.ts';
import { singleArm } from '../finished-run.ts';
import { ceilingWords, sharesOf } from '../report/ceiling-words.ts';
import { dollars, percent } from '../report/cells.ts';
import { type Panel, requestOf, singleModels } from '../run/arms.ts';
import { externalOf, type Kept, readKept, type Setup } from '../run/journal.ts';
import { Stopped } from '../service/client.ts';

/** A study as its folder holds it. */
export interface KeptStudy {
  readonly kept: Kept;
  readonly setup: Setup;
  readonly panel: Panel;
  readonly study: StudyRuns;
  readonly analysis: Analysis;
}

/** Reads and analyses what a folder holds. */
export function keptStudy(folder: string): KeptStudy {
  const kept = readKept(folder);
  const { setup, taskIds: tasks, labels } = kept;
  if (!setup) throw new Stopped('failed', `--out ${folder} holds no study`);
  const panel = { panel: setup.panel.split(','), arbiter: setup.arbiter, rounds: setup.rounds };
  const strategies = setup.strategies.split(',').filter((name) => name !== '');
  const external = externalOf(setup).map(({ name }) => name);
  const [runs, judgements] = [[...kept.runs.values()], [...kept.judgements.values()]];
  const members = panel.panel.includes(panel.arbiter) ? panel.panel : [...panel.panel, panel.arbiter];
  const study = { tasks, panel: members, strategies, external, seed: setup.seed, runs, judgements, labels };
  return { kept, setup, panel, study, analysis: analyse(study) };
}

/** The advice of a study in words, and how to use it. */
export interface Advised {
  readonly arm: string;
  readonly isSingle: boolean;
  readonly reasons: readonly string[];
  /** The fields of a request. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** The cheapest arm that is not significantly worse than the best; undefined where no answer is known to be right. */
export function advisedIn(kept: Pick<KeptStudy, 'study' | 'analysis' | 'panel'>): Advised | undefined {
  const { study, analysis, panel } = kept;
  const found = advice(study, analysis);
  if (!found || found.best.correct?.mean === 0) return undefined;
  const { best, cheapest, worse, leftOut } = found;
  const external = analysis.rows.filter(({ kind }) => kind === 'external');
  const isSingle = singleModels(panel).some((model) => singleArm(model) === cheapest.arm);
  const { model, ai_ensemble } = requestOf(cheapest.arm, panel);
  return {
    arm: cheapest.arm,
    isSingle,
    reasons: [
      `Use ${told(cheapest)}.`,
      ...leftOutWords(leftOut, analysis),
      ...external.map((row) => `Of another server, so not advised on: ${told(row)}.`),
      best === cheapest
        ? `${leftOut.length + external.length > 0 ? 'Of the others no' : 'No'} arm was right more often.`
        : `The best is ${told(best)}; the difference is within chance.`,
      worse.length > 0
        ? `Worse than the best beyond chance: ${worse.join(', ')}.`
        : 'No arm is worse than the best beyond chance.',
      ...panelWords(kept),
    ],
    settings: isSingle ? { model } : { model, ai_ensemble },
  };
}

function leftOutWords(leftOut: readonly string[], { ceiling }: Analysis): string[] {
  if (!ceiling || leftOut.length === 0) return [];
  const { count, tasks } = ceiling.gain;
  return [
    `Left out: ${leftOut.join(', ')}. Where the best single model is wrong, another was right on ${count} of ${tasks} tasks, ` +
      'too few to show that choosing between them gains anything.',
  ];
}

/** The setting for the panel that knows most. */
function panelWords({ analysis, panel }: Pick<KeptStudy, 'analysis' | 'panel'>): string[] {
  const { rows, ceiling } = analysis;
  if (!ceiling) return [];
  const cost = costOf(analysis);
  const costs = new Map(rows.map((row) => [row.arm, cost(row)]));
  const found = smallestPanel(ceiling, panel.panel.length, (model) => costs.get(singleArm(model)) ?? 0);
  if (found.models.length === 1)
    return [`No other model is right where ${found.models[0]} is wrong: choosing between them gains nothing.`];
  return [
    `The smallest panel with the fewest tasks that all get wrong, ${sharesOf(found.allWrong)}: DEFAULT_PANEL=${found.models.join(',')}.`,
  ];
}

function told({ arm, correct, usdPerAnswer }: ArmRow): string {
  return `${arm} (${percent(correct?.mean ?? 0)} % correct, ${dollars(usdPerAnswer)} an answer)`;
}

/** The advice of the study in a folder: the cheapest arm that is not significantly worse than the best, and how to use it. */
export function adviseOn(folder: string): string {
  const kept = keptStudy(folder);
  const advised = advisedIn(kept);
  if (!advised) throw new Stopped('failed', `--out ${folder} holds no answer that is known to be right`);
  return [
    ...ceilingWords(kept.analysis),
    ...advised.reasons,
    '',
    advised.isSingle ? 'One model is enough: the fields of a request are' : 'The fields of a request are',
    '',
    JSON.stringify(advised.settings, null, 2),
  ].join('\n');
}
