/*
 * The operator's command line: `commands.ts` is the table of what it can do, `seed.ts` the demo user of a local server.
 * May import everything; must not decide anything that the folders below decide.
 */
import { createInterface } from 'node:readline/promises';
import { readConfig } from '../config';
import { createContainer } from '../container';
import { loadLocalEnvironment } from '../env-files';
import type { Ask } from './command';
import { COMMANDS } from './commands';
import { commandHelp, overview } from './help';
import type { Output } from './output';
import { type Options, UsageError } from './parse-options';
import { printable, printableJson } from './printable';
import { readCommandLine } from './read-command-line';
import { otherStoreWarning, storeLine } from './store-line';

/** `admin <noun> <verb> [--options]`. Exit code 0 done, 1 refused or failed, 2 wrong usage. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const { name, options, json, help, store } = readCommandLine(args, COMMANDS);
    const command = name === undefined ? undefined : COMMANDS[name];
    if (help || name === undefined || !command) {
      const text = name !== undefined && command ? commandHelp(name, command) : overview(COMMANDS);
      console.log(json ? printableJson(text) : text);
      return 0;
    }
    if (store !== undefined) process.env['STORE'] = store;
    loadLocalEnvironment(process.cwd());
    const { data, text } = await run(name, options);
    console.log(json ? printableJson(data) : text);
    return 0;
  } catch (error) {
    console.error(reasonOf(error));
    const isUsage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    return isUsage ? 2 : 1;
  }
}

/** Says which store it is before anything is done there. */
async function run(name: string, options: Options): Promise<Output> {
  const config = readConfig({ ...process.env, LOG_LEVEL: 'error' });
  console.error(storeLine(config));
  const warning = await otherStoreWarning(config, process.cwd());
  if (warning !== '') console.error(warning);
  const container = createContainer(config);
  try {
    const command = COMMANDS[name];
    if (!command) throw new UsageError(`unknown command ${name}`);
    return await command.run({ container, options, ask: askOf(process) });
  } finally {
    await container.store.close();
  }
}

/** Questions go to stderr: stdout is for the answer alone, which may be piped. */
function askOf({ stdin, stderr }: NodeJS.Process): Ask | undefined {
  if (!stdin.isTTY || !stderr.isTTY) return undefined;
  return async (question) => {
    const reader = createInterface({ input: stdin, output: stderr });
    try {
      return await reader.question(question);
    } finally {
      reader.close();
    }
  };
}

/** An operator may see what lies behind a failure; a client of the API never does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  const reason = error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
  return reason.split('\n').map(printable).join('\n');
}

// A store that cannot be reached must not keep the command waiting for its retries.
void main(process.argv.slice(2)).then((code) => process.exit(code));
