import { TASK_KINDS, type TaskKind } from '../../tasks/task.ts';
import { ALL_STRATEGIES, type GivenOptions, studyProgram } from './study-program.ts';
import { UsageError } from './values.ts';

/** A study as it was asked for. */
export interface StudyOptions {
  readonly panel: readonly string[];
  readonly arbiter: string;
  readonly maxNanoUsd: number;
  readonly tasks: number;
  readonly kinds: readonly TaskKind[];
  /** Questions in place of the tasks. */
  readonly file: string | undefined;
  readonly judges: readonly string[];
  readonly seed: number;
  readonly repeats: number;
  readonly rounds: number;
  readonly strategies: readonly string[];
  readonly atOnce: number;
  readonly out: string;
  /** A server that is running already. */
  readonly server: { readonly baseUrl: string; readonly key: string } | undefined;
  readonly isConfirmed: boolean;
}

/** What the command is to do. */
export type Order =
  | { readonly does: 'help' }
  | { readonly does: 'advise'; readonly out: string }
  | { readonly does: 'from-runs'; readonly files: readonly string[] }
  | { readonly does: 'study'; readonly study: StudyOptions };

const TASKS_USUAL = 465;

/** Reads the arguments; throws an error of usage that names the option that is wrong. */
export function readOptions(args: readonly string[]): Order {
  const program = studyProgram().parse(args, { from: 'user' });
  const options = program.opts<GivenOptions>();
  const { out } = options;
  if (args.length === 0 || options.help) return { does: 'help' };
  if (options.fromRuns) return { does: 'from-runs', files: filesOf(program.args) };
  if (program.args.length > 0) throw new UsageError(`${program.args[0]} belongs to no option`);
  return options.advise ? { does: 'advise', out } : { does: 'study', study: studyOf(options) };
}

function filesOf(positionals: readonly string[]): readonly string[] {
  if (positionals.length === 0) throw new UsageError('--from-runs needs the files of saved runs behind it');
  return positionals;
}

function studyOf(options: GivenOptions): StudyOptions {
  const { panel, arbiter, maxUsd, seed, repeats, rounds, atOnce, out } = options;
  if (panel === undefined) throw new UsageError('--panel is required');
  if (arbiter === undefined) throw new UsageError('--arbiter is required');
  if (maxUsd === undefined) throw new UsageError('--max-usd is required');
  requireFitting(options);
  return {
    ...{ panel, arbiter, seed, repeats, rounds, atOnce, out },
    maxNanoUsd: maxUsd,
    tasks: options.tasks ?? TASKS_USUAL,
    kinds: options.kinds ?? TASK_KINDS,
    strategies: options.strategies ?? ALL_STRATEGIES,
    file: options.file,
    judges: [...new Set(options.judges)],
    server: serverOf(options),
    isConfirmed: options.yes === true,
  };
}

function requireFitting({ file, tasks, kinds, judges }: GivenOptions): void {
  if (file !== undefined && (tasks ?? kinds) !== undefined)
    throw new UsageError('--file takes the place of --tasks and --kinds: leave them out');
  if (file === undefined && judges !== undefined)
    throw new UsageError('--judges is for open questions of --file, which is missing');
}

function serverOf({ url, key }: GivenOptions): StudyOptions['server'] {
  if (url === undefined && key === undefined) return undefined;
  if (url === undefined) throw new UsageError('--key is for the server of --url, which is missing');
  if (key === undefined) throw new UsageError('--key is required');
  return { baseUrl: url, key };
}
