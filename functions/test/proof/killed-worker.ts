import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createKey } from '../../src/access/keys';
import { readConfig } from '../../src/config';
import { isRefusal } from '../../src/errors';
import { createLog } from '../../src/lib/log';
import { createServices } from '../../src/services';
import { print } from '../support/worker-lines';

const REQUESTS = 4;

/**
 * The service over its embedded store, and a client that has made one short request and has four more under way:
 * `node worker.js <any> <directory> <upstream's URL>`. It prints `ready` when they are on their way.
 */
const [, , , directory = '', upstream = ''] = process.argv;
const config = readConfig({
  STORE: 'embedded',
  DATA_DIR: directory,
  KEY_PEPPER: 'test-pepper',
  OPENAI_API_KEY: 'k',
  OPENAI_BASE_URL: `${upstream}/v1`,
});
const { app, store, clock, peppers } = createServices(config, { log: createLog('error', () => {}) });
const server = createServer((req, res) => void app(req, res));

async function main(): Promise<void> {
  await store.putSubscription({ userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
  const created = await createKey({ store, clock, peppers, keyPrefix: config.keyPrefix }, { userId: 'ada', name: 'k' });
  if (isRefusal(created)) throw new Error(created.text);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${created.key}` };
  const url = `http://127.0.0.1:${port}/v1/chat/completions`;
  const ask = async (fields: object): Promise<void> => {
    const messages = [{ role: 'user', content: 'Is a tomato a fruit?' }];
    const body = JSON.stringify({ stream: true, messages, ...fields });
    await fetch(url, { method: 'POST', headers, body }).then((response) => response.text());
  };
  // The first request loads the SDK, which takes a second in which nothing is read.
  await ask({ model: 'short' });
  const panel = { models: ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1-mini'] };
  for (let request = 0; request < REQUESTS; request += 1) {
    void ask({ model: 'gpt-4.1', ai_ensemble: panel });
    // Their checkpoints must not fall together, or each kill would be one throw of the dice.
    await pause(randomInt(700));
  }
  print('ready');
}

void main();
