import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { TASK_KINDS, type TaskKind } from '../../tasks/task.ts';
import { AUTO, type ExternalArm, STRATEGY_NAMES } from '../run/arms.ts';
import { addArm, baseUrlOf } from './external-arm.ts';

const NANO = 1_000_000_000;

/** Options that do not fit together; the message names them. */
export class UsageError extends Error {}

/** Reads a text that is not blank. */
function text(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value.trim();
}

/** Reads values separated by commas. */
function listOf(value: string): string[] {
  const items = value.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('It must be a list separated by commas.');
  return items;
}

/** Reads a whole number above 0. */
function wholeNumber(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(value);
}

/** Reads US dollars, in nano-USD. */
function dollars(value: string): number {
  if (!/^\$?\d{1,6}(\.\d{1,9})?$/.test(value.trim()))
    throw new InvalidArgumentError('It must be an amount in US dollars, such as 5 or 0.25.');
  return Math.round(Number(value.trim().replace('$', '')) * NANO);
}

/** Writes an amount for people: `$5.00`, with more digits only where cents do not say it all. */
export function formatUsd(nanoUsd: number): string {
  const fraction = String(nanoUsd % NANO)
    .padStart(9, '0')
    .replace(/0{0,7}$/, '');
  return `$${Math.floor(nanoUsd / NANO)}.${fraction}`;
}

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
  readonly external: readonly ExternalArm[];
  /** The price of a call whose server tells none. */
  readonly callNanoUsd: number;
  readonly atOnce: number;
  readonly out: string;
  /** A server that is running already. */
  readonly server: { readonly baseUrl: string; readonly key: string } | undefined;
  readonly isConfirmed: boolean;
}

/** One of the things that the command does. */
export type Order =
  | { readonly does: 'help' }
  | { readonly does: 'flow' }
  | { readonly does: 'advise'; readonly out: string }
  | { readonly does: 'from-runs'; readonly files: readonly string[] }
  | { readonly does: 'study'; readonly study: StudyOptions };

/** The options as commander gives them. */
type GivenOptions = Omit<
  StudyOptions,
  'server' | 'isConfirmed' | 'maxNanoUsd' | 'judges' | 'external' | 'callNanoUsd'
> & {
  readonly arm: readonly ExternalArm[];
  readonly usdPerCall: number;
  readonly judges?: readonly string[];
  readonly maxUsd?: number;
  readonly url?: string;
  readonly key?: string;
  readonly yes?: true;
  readonly advise?: true;
  readonly fromRuns?: true;
  readonly flow?: true;
  readonly help?: true;
};

const PARTICIPANTS_MAX = 16;
const ALL_STRATEGIES = [...STRATEGY_NAMES, AUTO];
/** The package is started by itself, or from the folder of the product. */
const COMMAND = process.env['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'npm run quality --';
const USAGE = `--panel A,B,C --arbiter D --max-usd USD [options]
       ${COMMAND} --advise [--out FOLDER]
       ${COMMAND} --from-runs FILE... > questions.jsonl
       ${COMMAND} --flow`;
const ABOUT = `
What it is likely to cost is told and asked for first. An interrupted study goes on with the same command.
Exit code: 0 done, 1 failed, 2 wrong usage or not confirmed, 130 interrupted.`;

/** The command line of `npm run quality`; throws a CommanderError that names the option that is wrong. */
function studyProgram(): Command {
  const program = new Command(COMMAND)
    .description('Compares ensembles with single models, on tasks whose answers a program can check.')
    .usage(USAGE)
    .argument('[FILE...]')
    .helpOption(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  addStudyOptions(program);
  program
    .option(
      '--url <BASE>',
      'the base URL of a running server, in place of one that is started for the study',
      baseUrlOf,
    )
    .option('--key <KEY>', 'an API key of that server', text)
    .option('--yes', 'go ahead without being asked')
    .option('--advise', 'no study: say which arm of the one in FOLDER is the cheapest good one, and how to use it')
    .option('--from-runs', 'no study: make a file of questions from saved runs of the playground')
    .option('--flow', 'no study: print what the gate of mode auto costs and loses, by a simulation without models')
    .option('--help', 'this');
  return program;
}

function addStudyOptions(program: Command): void {
  program
    .option('--panel <A,B,C>', 'the participants: ids of models; one may be named several times', participants)
    .option('--arbiter <D>', 'the model that writes the answers of an ensemble', text)
    .option('--max-usd <USD>', 'what the study may cost; nothing is begun that could pass it', dollars)
    .option('--tasks <N>', 'how many tasks', upTo(10_000), 465)
    .addOption(amongst('--kinds <LIST>', 'kinds of tasks', TASK_KINDS))
    .option('--file <FILE>', 'questions of your own in place of the tasks, a line of JSON each')
    .option('--judges <LIST>', 'models that compare the answers to open questions of the file', listOf)
    .option('--seed <N>', 'another seed makes other tasks', upTo(999_999_999), 1)
    .option('--repeats <N>', 'how often each arm answers each task', upTo(100), 3)
    .option('--rounds <N>', 'rounds of the strategies, 1 to 10', upTo(10), 1)
    .addOption(amongst('--strategies <LIST>', 'the strategies to compare, and auto', ALL_STRATEGIES))
    .option(
      '--arm <ARM>',
      'NAME=MODEL@URL[#KEY_VARIABLE]: a model of another server beside them; may be repeated',
      addArm,
      [],
    )
    .option('--usd-per-call <USD>', 'what a call counts as whose server tells no price', dollars, 0)
    .option('--at-once <N>', 'runs side by side, 1 to 16', upTo(16), 4)
    .option('--out <FOLDER>', 'where runs and reports are kept', 'quality-study');
}

/** Everything that the user is told of the options. */
export function helpText(): string {
  return studyProgram().helpInformation() + ABOUT;
}

function participants(value: string): string[] {
  const panel = listOf(value);
  if (panel.length > PARTICIPANTS_MAX)
    throw new InvalidArgumentError(`It must have at most ${PARTICIPANTS_MAX} models.`);
  return panel;
}

function upTo(max: number): (value: string) => number {
  return (value) => {
    const count = wholeNumber(value);
    if (count > max) throw new InvalidArgumentError(`It must be at most ${max}.`);
    return count;
  };
}

/** An option for a list of known names, which come out in the order of the known ones; all of them where it is not given. */
function amongst(flags: string, description: string, known: readonly string[]): Option {
  const read = (value: string): string[] => {
    const asked = listOf(value);
    const unknown = asked.find((one) => !known.includes(one));
    if (unknown === undefined) return known.filter((name) => asked.includes(name));
    throw new InvalidArgumentError(`Its names must be of ${known.join(', ')}; ${unknown} is none of them.`);
  };
  return new Option(flags, description).argParser(read).default(known, 'all');
}

/** Reads the arguments; throws an error of usage that names the option that is wrong. */
export function readOptions(args: readonly string[]): Order {
  const program = studyProgram().parse(args, { from: 'user' });
  const options = program.opts<GivenOptions>();
  const files = program.args;
  if (args.length === 0 || options.help) return { does: 'help' };
  if (options.fromRuns) {
    if (files.length === 0) throw new UsageError('--from-runs needs the files of saved runs behind it');
    return { does: 'from-runs', files };
  }
  if (files.length > 0) throw new UsageError(`${files[0]} belongs to no option`);
  if (options.flow) return { does: 'flow' };
  if (options.advise) return { does: 'advise', out: options.out };
  requireFitting(options, (name) => program.getOptionValueSource(name) === 'cli');
  const { maxUsd = 0, url, key, yes, arm: external, usdPerCall: callNanoUsd, ...rest } = options;
  const { advise: _, fromRuns: __, flow: ___, help: ____, ...study } = rest;
  const server = url === undefined || key === undefined ? undefined : { baseUrl: url, key };
  const judges = [...new Set(study.judges)];
  return {
    does: 'study',
    study: {
      ...{ ...study, file: study.file, judges, external, callNanoUsd },
      ...{ maxNanoUsd: maxUsd, server, isConfirmed: yes === true },
    },
  };
}

function requireFitting({ file, url, key }: GivenOptions, isGiven: (name: string) => boolean): void {
  const missing = [
    ['panel', '--panel'],
    ['arbiter', '--arbiter'],
    ['maxUsd', '--max-usd'],
  ].find(([name = '']) => !isGiven(name));
  if (missing) throw new UsageError(`${missing[1]} is required`);
  if (file !== undefined && (isGiven('tasks') || isGiven('kinds')))
    throw new UsageError('--file takes the place of --tasks and --kinds: leave them out');
  if (file === undefined && isGiven('judges'))
    throw new UsageError('--judges is for open questions of --file, which is missing');
  if (url === undefined && key !== undefined)
    throw new UsageError('--key is for the server of --url, which is missing');
  if (url !== undefined && key === undefined) throw new UsageError('--key is required');
}

/** A path as the caller means it: npm tells where it was called, before it went to the folder of the script. */
export function callerPath(path: string): string {
  return resolve(process.env['INIT_CWD'] ?? process.cwd(), path);
}
