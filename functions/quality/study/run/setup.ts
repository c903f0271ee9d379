import type { StudyOptions } from '../command/read-options';

/** What a study is: with another set-up its runs would be others. */
export interface Setup {
  /** Of the product, and of this file's form. */
  readonly version: string;
  readonly seed: number;
  /** Ids of the tasks, which the seed or the file tells, as one number. */
  readonly tasks: number;
  readonly kinds: string;
  readonly panel: string;
  readonly arbiter: string;
  readonly strategies: string;
  readonly repeats: number;
  readonly rounds: number;
}

/** The options that make a study what it is; the others may be other ones when it goes on. */
export function setupOf(study: StudyOptions, version: string): Setup {
  const { seed, tasks, kinds, panel, arbiter, strategies, repeats, rounds } = study;
  const lists = { panel: panel.join(','), strategies: strategies.join(',') };
  return { version, seed, tasks, kinds: kinds.join(','), arbiter, ...lists, repeats, rounds };
}

/** What another set-up differs in, in words; undefined where it is the same. */
export function setupFlaw(kept: Setup, asked: Setup): string | undefined {
  const name = (Object.keys(asked) as (keyof Setup)[]).find((one) => kept[one] !== asked[one]);
  return name && `its ${name} is ${told(kept[name])}, not ${told(asked[name])}`;
}

function told(value: string | number): string {
  return value === '' ? 'none' : String(value);
}
