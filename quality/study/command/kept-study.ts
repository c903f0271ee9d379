import type { Analysis, StudyRuns } from '../analysis/analyse.ts';
import { analyse } from '../analysis/analyse.ts';
import { type Panel, singleModels } from '../run/arms.ts';
import { type Kept, readKept } from '../run/journal.ts';
import type { Setup } from '../run/setup.ts';
import { Stopped } from '../service/stopped.ts';

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
  const { setup, taskIds: tasks } = kept;
  if (!setup) throw new Stopped('failed', `--out ${folder} holds no study`);
  const panel = { panel: setup.panel.split(','), arbiter: setup.arbiter, rounds: setup.rounds };
  const strategies = setup.strategies.split(',');
  const [runs, judgements] = [[...kept.runs.values()], [...kept.judgements.values()]];
  const study = { tasks, panel: singleModels(panel), strategies, seed: setup.seed, runs, judgements };
  return { kept, setup, panel, study, analysis: analyse(study) };
}
