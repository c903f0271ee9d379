/*
 * The operator's command line: `program.ts` is what it can do, `seed.ts` the demo user of a local server.
 * May import everything; must not decide anything that the folders below decide.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { CommanderError } from 'commander';
import { type Config, readConfig } from '../config';
import { loadLocalEnvironment } from '../env-files';
import { createServices } from '../services';
import { runningServers } from '../store/server-notes';
import { storeSettings } from '../store/store-settings';
import { type Ask, type Output, UsageError, type Work } from './command';
import { printable, printableJson } from './output';
import { createProgram } from './program';

const SERVERS_MAX = 20;

/** `admin <noun> <verb> [--options]`. Exit code 0 done, 1 refused or failed, 2 wrong usage. */
async function main(args: readonly string[]): Promise<number> {
  const program = createProgram((work) => async (options) => {
    const { json, store } = program.opts<{ json?: true; store?: string }>();
    if (store !== undefined) process.env['STORE'] = store;
    loadLocalEnvironment(process.cwd());
    const { data, text } = await run(work, options);
    console.log(json ? printableJson(data) : text);
  });
  const asksForHelp = args.length === 0 || args[0] === 'help';
  try {
    await program.parseAsync(asksForHelp ? [...args.slice(1), '--help'] : args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    console.error(reasonOf(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Says which store it is before anything is done there. */
async function run<O>(work: Work<O>, options: O): Promise<Output> {
  const config = readConfig({ ...process.env, LOG_LEVEL: 'error' });
  console.error(storeLine(config));
  for (const line of await otherStoreWarning(config)) console.error(line);
  const services = createServices(config);
  try {
    return await work(services, options, askOf(process));
  } finally {
    await services.store.close();
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

/** Store that a command works on, for people; to be asked before it is opened, for an embedded one is made then. */
function storeLine({ store, dataDirectory, firestore }: Config): string {
  if (store === 'embedded') {
    const isNew = !existsSync(join(dataDirectory, 'ensemble.db'));
    return `store: embedded, in ${printable(dataDirectory)} (DATA_DIR)${isNew ? ', which is new and empty' : ''}`;
  }
  const place = firestore.emulatorHost === '' ? '' : `, emulator at ${printable(firestore.emulatorHost)}`;
  return `store: Firestore, project ${printable(firestore.projectId)}${place}`;
}

/** A warning when servers of this installation run and none uses the store of `config`; no lines otherwise. */
async function otherStoreWarning(config: Config): Promise<string[]> {
  const servers = await runningServers(process.cwd());
  const own = storeSettings(config);
  if (servers.length === 0 || servers.some(({ store }) => store === own)) return [];
  return [
    'warning: the server that is running uses another store, and knows nothing of what is done here:',
    ...servers
      .slice(0, SERVERS_MAX)
      .flatMap(({ host, port, pid, store }) => [
        `  http://${printable(host.includes(':') ? `[${host}]` : host)}:${port} (process ${pid}); for its store:`,
        `    ${printable(store)} npm run admin -- ...`,
      ]),
  ];
}

// A store that cannot be reached must not keep the command waiting for its retries.
void main(process.argv.slice(2)).then((code) => process.exit(code));
