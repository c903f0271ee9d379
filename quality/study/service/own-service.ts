import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startService } from '../../../scripts/service.mts';
import type { FoundServer } from './find-server.ts';

const RUN = fileURLToPath(new URL('../../../scripts/run.mjs', import.meta.url));
const OWNER = ['--user', 'study'];
/** The most that can be set: the study waits for models, not for limits. */
const REQUESTS_A_MINUTE = '1000';

/** A service of the study's own. */
export interface OwnService extends FoundServer, AsyncDisposable {}

/**
 * Starts the service on this machine, with the providers that the environment names and a store in the study's folder. Its key
 * has what is left of the cap as its monthly budget: the server itself refuses what comes after.
 */
export async function startOwnService(folder: string, budgetNanoUsd: number): Promise<OwnService> {
  const directory = join(folder, 'store');
  const settings = { STORE: 'embedded', RATE_LIMIT_RPM: REQUESTS_A_MINUTE };
  const { baseUrl, stop } = await startService(settings, directory);
  const admin = (...words: string[]) => ask({ ...settings, DATA_DIR: directory }, words);
  const revokeAll = async (): Promise<void> => {
    // Those of studies that were killed are ended, too.
    for (const { id, status } of await admin('keys', 'list', ...OWNER))
      if (status === 'active') await admin('keys', 'revoke', '--id', id);
  };
  await admin('subscriptions', 'set', ...OWNER, '--tier', 'pro', '--status', 'active');
  await revokeAll();
  const budget = (budgetNanoUsd / 1e9).toFixed(9);
  const { key } = await admin('keys', 'create', ...OWNER, '--name', 'study', '--budget', budget);
  return {
    ...{ key, baseUrl, isProduct: true },
    [Symbol.asyncDispose]: async () => {
      await revokeAll();
      await stop();
    },
  };
}

/** Asks `npm run admin`. */
async function ask(settings: Record<string, string>, words: readonly string[]) {
  const env = { ...process.env, ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, 'admin', '--json', ...words], { env });
  return JSON.parse(stdout);
}
