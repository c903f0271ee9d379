import { parseArgs } from 'node:util';
import type { Command } from './command';
import { nearest, unknownText } from './nearest';
import { ALL_OPTIONS, COMMON_OPTIONS } from './option-table';
import { type Options, required, UsageError } from './parse-options';

/** A command line that was understood. Without `name` only help was asked for. */
export interface CommandLine {
  readonly name: string | undefined;
  readonly options: Options;
  readonly json: boolean;
  readonly help: boolean;
  readonly store: string | undefined;
}

type Commands = Readonly<Record<string, Command>>;

const SEE_HELP = 'npm run admin -- --help lists all commands';
const PARSED = Object.fromEntries(
  Object.entries(ALL_OPTIONS).map(([name, row]) => [name, { type: 'value' in row ? 'string' : 'boolean' } as const]),
);

/** Reads the arguments; throws a UsageError that names what is wrong, and what was probably meant. */
export function readCommandLine(args: readonly string[], commands: Commands): CommandLine {
  const { tokens } = parseArgs({
    args: [...args],
    options: PARSED,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const given = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const words = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []));
  const help = given.includes('help') || words.length === 0 || words[0] === 'help';
  const [noun, verb, ...more] = words[0] === 'help' ? words.slice(1) : words;
  const name = commandOf({ noun, verb, help }, commands);
  requireKnown(given, name, commands);
  // Last: behind an option that is not known stands a value that is taken for a word.
  if (more.length > 0) throw new UsageError(`${name} takes no further word: ${more.join(' ')}`);
  const { values } = parseArgs({ args: [...args], options: PARSED, allowPositionals: true });
  const { json, help: _, store, ...rest } = values;
  const options: Options = Object.fromEntries(Object.entries(rest).map(([option, value]) => [option, String(value)]));
  if (!help && name !== undefined) for (const option of commands[name]?.needs ?? []) required(options, option);
  return { name, options, json: json === true, help, store: store === undefined ? undefined : String(store) };
}

interface Words {
  readonly noun: string | undefined;
  readonly verb: string | undefined;
  readonly help: boolean;
}

function commandOf({ noun, verb, help }: Words, commands: Commands): string | undefined {
  if (noun === undefined) return undefined;
  const names = Object.keys(commands);
  const verbs = names.flatMap((one) => (one.startsWith(`${noun} `) ? [one.slice(noun.length + 1)] : []));
  if (verbs.length > 0 && verb === undefined) {
    if (help) return undefined;
    throw new UsageError(`${noun} does what? One of ${verbs.join(', ')}`);
  }
  const name = verb === undefined ? noun : `${noun} ${verb}`;
  if (Object.hasOwn(commands, name)) return name;
  const meant = nearest(name, names);
  if (meant !== undefined) throw new UsageError(`unknown command ${name}: did you mean ${meant}?`);
  const hint = verbs.length > 0 ? `${noun} knows ${verbs.join(', ')}` : SEE_HELP;
  throw new UsageError(`unknown command ${name}: ${hint}`);
}

/** An option that is not of this command, or is given twice, is no slip to pass over: it might have been a limit. */
function requireKnown(given: readonly string[], name: string | undefined, commands: Commands): void {
  const command = name === undefined ? undefined : commands[name];
  const common = Object.keys(COMMON_OPTIONS);
  const known = [...(command ? [...command.needs, ...command.takes] : Object.keys(ALL_OPTIONS)), ...common];
  const options = known.map((option) => `--${option}`);
  for (const [index, option] of given.entries()) {
    if (!known.includes(option)) throw new UsageError(unknownText('option', `--${option}`, options) + ofCommand(name));
    if (given.indexOf(option) !== index) throw new UsageError(`--${option} is given twice`);
  }
}

function ofCommand(name: string | undefined): string {
  return name === undefined ? '' : ` (npm run admin -- ${name} --help)`;
}
