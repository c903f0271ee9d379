import type { StudyOptions } from '../command/options.ts';

/** The identity of a study: with another set-up its runs would be others. */
export interface Setup {
  /** The version of the product, and of this file's form. */
  readonly version: string;
  readonly seed: number;
  /** Ids of the tasks, which the seed or the file tells, as one number. */
  readonly tasks: number;
  readonly kinds: string;
  /** A digest of the questions, where they are the user's own. */
  readonly file: string;
  readonly judges: string;
  readonly panel: string;
  readonly arbiter: string;
  readonly strategies: string;
  readonly repeats: number;
  readonly rounds: number;
}

/** The options that make a study what it is; the others may be other ones when it goes on. */
export function setupOf(study: StudyOptions, { version, file }: Pick<Setup, 'version' | 'file'>): Setup {
  const { seed, panel, arbiter, strategies, judges, repeats, rounds } = study;
  const ofTasks = file === '' ? { tasks: study.tasks, kinds: study.kinds.join(',') } : { tasks: 0, kinds: '' };
  const lists = { panel: panel.join(','), strategies: strategies.join(','), judges: judges.join(',') };
  return { version, seed, ...ofTasks, file, arbiter, ...lists, repeats, rounds };
}

/** The difference to another set-up, in words; undefined where it is the same. */
export function setupFlaw(kept: Setup, asked: Setup): string | undefined {
  const name = (Object.keys(asked) as (keyof Setup)[]).find((one) => kept[one] !== asked[one]);
  return name && `its ${name} is ${told(kept[name])}, not ${told(asked[name])}`;
}

function told(value: string | number): string {
  return value === '' ? 'none' : String(value);
}
