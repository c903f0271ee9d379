import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createKey } from '../../src/access/keys';
import { readConfig } from '../../src/config';
import { isRefusal } from '../../src/errors';
import { createLog } from '../../src/lib/log';
import { createServices } from '../../src/services';
import { print } from '../support/worker-lines';

/**
 * The service on a loopback port, in front of a provider at a base URL: `node worker.js - <base URL> <data directory>`.
 * Prints its port and the keys of two users, as JSON.
 */
const [, , , baseUrl = '', directory = ''] = process.argv;
const env = { STORE: 'embedded', DATA_DIR: directory, KEY_PEPPER: 'test-pepper' };
const config = readConfig({ ...env, OPENAI_API_KEY: 'k', OPENAI_BASE_URL: baseUrl });
const { app, store, clock, peppers } = createServices(config, { log: createLog('silent') });

async function userKey(userId: string): Promise<string> {
  await store.putSubscription({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
  const created = await createKey({ store, clock, peppers, keyPrefix: config.keyPrefix }, { userId, name: userId });
  if (isRefusal(created)) throw new Error(created.text);
  return created.key;
}

const server = createServer((req, res) => void app(req, res));
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address() as AddressInfo;
  print(JSON.stringify({ port, keys: await Promise.all(['alice', 'bob'].map(userKey)) }));
});
