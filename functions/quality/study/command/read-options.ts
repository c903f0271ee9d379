import { parseArgs } from 'node:util';
import { unknownText } from '../../../src/cli/nearest';
import { dollars, listed, type Options, required, UsageError, wholeNumber } from '../../../src/cli/parse-options';
import { STRATEGY_NAMES } from '../../../src/ensemble/strategies/strategies';
import { TASK_KINDS, type TaskKind } from '../../tasks/task';
import { AUTO } from '../run/arms';
import { OPTION_TABLE } from './option-table';

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
  | { readonly does: 'flow'; readonly out: string }
  | { readonly does: 'from-runs'; readonly files: readonly string[] }
  | { readonly does: 'study'; readonly study: StudyOptions };

const PARSED = Object.fromEntries(
  Object.entries(OPTION_TABLE).map(([name, row]) => [name, { type: 'value' in row ? 'string' : 'boolean' } as const]),
);
const TASKS_USUAL = 465;
const OUT_USUAL = 'quality-study';
const LIMITS = { tasks: 10_000, repeats: 100, rounds: 10, 'at-once': 16, seed: 999_999_999 } as const;
const PARTICIPANTS_MAX = 16;

/** Reads the arguments; throws a UsageError that names the option that is wrong. */
export function readOptions(args: readonly string[]): Order {
  const { tokens } = parseArgs({
    args: [...args],
    options: PARSED,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  requireKnown(tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])));
  const { values, positionals } = parseArgs({ args: [...args], options: PARSED, allowPositionals: true });
  const options: Options = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  if (args.length === 0 || options['help']) return { does: 'help' };
  if (options['from-runs']) return { does: 'from-runs', files: filesOf(positionals) };
  if (positionals.length > 0) throw new UsageError(`${positionals[0]} belongs to no option`);
  const out = options['out'] ?? OUT_USUAL;
  if (options['flow']) return { does: 'flow', out };
  return options['advise'] ? { does: 'advise', out } : { does: 'study', study: studyOf(options, out) };
}

function requireKnown(given: readonly string[]): void {
  const known = Object.keys(OPTION_TABLE).map((name) => `--${name}`);
  for (const [index, name] of given.entries()) {
    if (!(name in OPTION_TABLE)) throw new UsageError(unknownText('option', `--${name}`, known));
    if (given.indexOf(name) !== index) throw new UsageError(`--${name} is given twice`);
  }
}

function filesOf(positionals: readonly string[]): readonly string[] {
  if (positionals.length === 0) throw new UsageError('--from-runs needs the files of saved runs behind it');
  return positionals;
}

function studyOf(options: Options, out: string): StudyOptions {
  required(options, 'panel');
  const panel = listed(options, 'panel') ?? [];
  if (panel.length > PARTICIPANTS_MAX) throw new UsageError(`--panel has at most ${PARTICIPANTS_MAX} models`);
  const arbiter = required(options, 'arbiter');
  required(options, 'max-usd');
  requireFitting(options);
  return {
    ...{ panel, arbiter, out },
    maxNanoUsd: dollars(options, 'max-usd') ?? 0,
    tasks: number(options, 'tasks', TASKS_USUAL),
    kinds: chosen(options, 'kinds', TASK_KINDS),
    file: options['file'],
    judges: [...new Set(listed(options, 'judges') ?? [])],
    seed: number(options, 'seed', 1),
    repeats: number(options, 'repeats', 3),
    rounds: number(options, 'rounds', 1),
    strategies: chosen(options, 'strategies', [...STRATEGY_NAMES, AUTO]),
    atOnce: number(options, 'at-once', 4),
    server: serverOf(options),
    isConfirmed: options['yes'] === 'true',
  };
}

function requireFitting({ file, tasks, kinds, judges }: { readonly [name: string]: string | undefined }): void {
  if (file !== undefined && (tasks ?? kinds) !== undefined)
    throw new UsageError('--file takes the place of --tasks and --kinds: leave them out');
  if (file === undefined && judges !== undefined)
    throw new UsageError('--judges is for open questions of --file, which is missing');
}

function number(options: Options, name: keyof typeof LIMITS, usual: number): number {
  const value = wholeNumber(options, name) ?? usual;
  if (value > LIMITS[name]) throw new UsageError(`--${name} must be at most ${LIMITS[name]}`);
  return value;
}

function chosen<T extends string>(options: Options, name: string, known: readonly T[]): readonly T[] {
  const asked = listed(options, name);
  if (asked === undefined) return known;
  const unknown = asked.find((one) => !known.includes(one as T));
  if (unknown !== undefined) throw new UsageError(`--${name}: ${unknownText('name', unknown, known)}`);
  return known.filter((one) => asked.includes(one));
}

function serverOf(options: Options): StudyOptions['server'] {
  const { url, key } = options as { url?: string; key?: string };
  if (url === undefined && key === undefined) return undefined;
  if (url === undefined) throw new UsageError('--key is for the server of --url, which is missing');
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError('--url must be a base URL such as http://127.0.0.1:8080/v1');
  const root = url.replace(/\/+$/, '');
  return { baseUrl: root.endsWith('/v1') ? root : `${root}/v1`, key: required(options, 'key') };
}
