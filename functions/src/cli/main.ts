/*
 * The operator's command line: `commands.ts` is the table of what it can do, `seed.ts` the demo user of a local server.
 * May import everything; must not decide anything that the folders below decide.
 */
import { parseArgs } from 'node:util';
import { loadLocalEnvironment } from '../config';
import { runCommand } from './commands';
import { UsageError } from './parse-options';

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;
const NAMES = [
  'user',
  'name',
  'id',
  'overlap',
  'expires',
  'models',
  'endpoints',
  'rpm',
  'budget',
  'monthly',
  'tier',
  'status',
  'start',
  'since',
  'end',
  'to',
];
const OPTIONS = Object.fromEntries(NAMES.map((name) => [name, TEXT]));

/** The operator's command line: `admin <noun> <verb> [--options]`. Exit code 0 done, 1 refused or failed, 2 wrong usage. */
async function main(): Promise<number> {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { ...OPTIONS, store: TEXT, deployment: FLAG, json: FLAG, help: FLAG },
    });
    if (values.store !== undefined) process.env['STORE'] = values.store;
    loadLocalEnvironment(process.cwd());
    const { json, help, deployment, ...texts } = values;
    const options = { ...texts, ...(deployment && { deployment: 'true' }) };
    const output = await runCommand(help ? [] : positionals, options);
    console.log(json ? JSON.stringify(output.data) : output.text);
    return 0;
  } catch (error) {
    console.error(reasonOf(error));
    const isUsage = error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS');
    return isUsage ? 2 : 1;
  }
}

/** An operator may see what lies behind a failure; a client of the API never does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

// A store that cannot be reached must not keep the command waiting for its retries.
void main().then((code) => process.exit(code));
