import { parseArgs } from 'node:util';
import { loadLocalEnvironment } from '../config';
import { runCommand } from './commands';
import { UsageError } from './usage-error';

/** The operator's command line: `admin <noun> <verb> [--options]`. Exit code 0 done, 1 refused or failed, 2 wrong usage. */
async function main(): Promise<number> {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: {
        user: { type: 'string' },
        name: { type: 'string' },
        id: { type: 'string' },
        overlap: { type: 'string' },
        tier: { type: 'string' },
        status: { type: 'string' },
        start: { type: 'string' },
        end: { type: 'string' },
        store: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.store !== undefined) process.env['STORE'] = values.store;
    loadLocalEnvironment(process.cwd());
    const { json, help, ...options } = values;
    const output = await runCommand(help ? [] : positionals, options);
    console.log(json ? JSON.stringify(output.data) : output.text);
    return 0;
  } catch (error) {
    console.error(reasonOf(error));
    return isUsageError(error) ? 2 : 1;
  }
}

/** An operator may see what lies behind a failure; a client of the API never does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

function isUsageError(error: unknown): boolean {
  return error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
}

// A store that cannot be reached must not keep the command waiting for its retries.
void main().then((code) => process.exit(code));
