import { Command, InvalidArgumentError } from 'commander';
import { TASK_KINDS, type TaskKind } from '../../tasks/task.ts';
import { AUTO, STRATEGY_NAMES } from '../run/arms.ts';
import { dollars, listOf, text, wholeNumber } from './values.ts';

/** The options of `npm run quality`, as they are given. */
export interface GivenOptions {
  readonly panel?: readonly string[];
  readonly arbiter?: string;
  readonly maxUsd?: number;
  readonly tasks?: number;
  readonly kinds?: readonly TaskKind[];
  readonly file?: string;
  readonly judges?: readonly string[];
  readonly seed: number;
  readonly repeats: number;
  readonly rounds: number;
  readonly strategies?: readonly string[];
  readonly atOnce: number;
  readonly out: string;
  readonly url?: string;
  readonly key?: string;
  readonly yes?: true;
  readonly advise?: true;
  readonly fromRuns?: true;
  readonly help?: true;
}

const PARTICIPANTS_MAX = 16;
export const ALL_STRATEGIES = [...STRATEGY_NAMES, AUTO];
const USAGE = `--panel A,B,C --arbiter D --max-usd USD [options]
       npm run quality -- --advise [--out FOLDER]
       npm run quality -- --from-runs FILE... > questions.jsonl`;
const ABOUT = `
What it is likely to cost is told and asked for first. An interrupted study goes on with the same command.
Exit code: 0 done, 1 failed, 2 wrong usage or not confirmed, 130 interrupted.`;

/** The command line of `npm run quality`; throws a CommanderError that names the option that is wrong. */
export function studyProgram(): Command {
  const program = new Command('npm run quality --')
    .description('Compares ensembles with single models, on tasks whose answers a program can check.')
    .usage(USAGE)
    .argument('[FILE...]')
    .helpOption(false)
    .addHelpText('after', ABOUT)
    .exitOverride()
    .configureOutput({ outputError: () => undefined });
  addStudyOptions(program);
  program
    .option('--url <BASE>', 'the base URL of a running server, in place of one that is started for the study', baseUrl)
    .option('--key <KEY>', 'an API key of that server', text)
    .option('--yes', 'go ahead without being asked')
    .option('--advise', 'no study: say which arm of the one in FOLDER is the cheapest good one, and how to use it')
    .option('--from-runs', 'no study: make a file of questions from saved runs of the playground')
    .option('--help', 'this');
  return program;
}

function addStudyOptions(program: Command): void {
  program
    .option('--panel <A,B,C>', 'the participants: ids of models; one may be named several times', participants)
    .option('--arbiter <D>', 'the model that writes the answers of an ensemble', text)
    .option('--max-usd <USD>', 'what the study may cost; nothing is begun that could pass it', dollars)
    .option('--tasks <N>', 'how many tasks; default 465', upTo(10_000))
    .option('--kinds <LIST>', 'kinds of tasks; default: all', amongst(TASK_KINDS))
    .option('--file <FILE>', 'questions of your own in place of the tasks, a line of JSON each')
    .option('--judges <LIST>', 'models that compare the answers to open questions of the file', listOf)
    .option('--seed <N>', 'another seed makes other tasks', upTo(999_999_999), 1)
    .option('--repeats <N>', 'how often each arm answers each task', upTo(100), 3)
    .option('--rounds <N>', 'rounds of the strategies, 1 to 10', upTo(10), 1)
    .option('--strategies <LIST>', 'the strategies to compare, and auto; default: all', amongst(ALL_STRATEGIES))
    .option('--at-once <N>', 'runs side by side, 1 to 16', upTo(16), 4)
    .option('--out <FOLDER>', 'where runs and reports are kept', 'quality-study');
}

/** Everything that the user is told of the options. */
export function helpText(): string {
  let help = '';
  const writeOut = (part: string): void => {
    help += part;
  };
  studyProgram().configureOutput({ writeOut }).outputHelp();
  return help.trimEnd();
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

/** Makes a parser of lists of known names, which come out in the order of the known ones. */
function amongst<T extends string>(known: readonly T[]): (value: string) => T[] {
  return (value) => {
    const asked = listOf(value);
    const unknown = asked.find((one) => !known.some((name) => name === one));
    if (unknown !== undefined)
      throw new InvalidArgumentError(`Its names must be of ${known.join(', ')}; ${unknown} is none of them.`);
    return known.filter((name) => asked.includes(name));
  };
}

/** A base URL that ends in `/v1`. */
function baseUrl(value: string): string {
  if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol))
    throw new InvalidArgumentError('It must be a base URL such as http://127.0.0.1:8080/v1.');
  const root = value.replace(/\/+$/, '');
  return root.endsWith('/v1') ? root : `${root}/v1`;
}
