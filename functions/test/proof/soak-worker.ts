import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { createKey } from '../../src/access/keys';
import { readConfig } from '../../src/config';
import { isRefusal } from '../../src/errors';
import { createHttpServer } from '../../src/http/http-server';
import { createLog } from '../../src/lib/log';
import { OpenWork } from '../../src/lib/open-work';
import { createServices } from '../../src/services';
import { onLine, print } from '../support/worker-lines';

/**
 * One instance of the service on the embedded store: `node --expose-gc worker.js - <directory> <upstream URL> <users>`. It
 * prints its port and its users' keys; then, for each line it is sent, what it holds once nothing is under way.
 */
const [, , , directory = '', upstreamUrl = '', users = ''] = process.argv;
const settings = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstreamUrl}/v1`, KEY_PEPPER: 'test-pepper' };
const config = readConfig({ ...settings, STORE: 'embedded', DATA_DIR: directory });
const openWork = new OpenWork();
// Lines are made as ever, and go nowhere.
const log = createLog('info', () => undefined);
const container = createServices(config, { openWork, log });

async function newUser(_: unknown, index: number): Promise<string> {
  const { store, clock } = container;
  const userId = `user-${index}`;
  await store.putSubscription({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
  const created = await createKey({ ...container, keyPrefix: config.keyPrefix }, { userId, name: 'soak' });
  if (isRefusal(created)) throw new Error(created.text);
  return created.key;
}

async function serve(): Promise<void> {
  const keys = await Promise.all(Array.from({ length: Number(users) }, newUser));
  const server = createHttpServer(container);
  server.listen(0, '127.0.0.1', () => {
    print(JSON.stringify({ port: (server.address() as AddressInfo).port, keys }));
  });
}

/** The spaces of machine code and of what V8 keeps to run it. */
const COMPILED = /^(?:code|trusted)_/;

function usedBytes(isMeant: (space: string) => boolean): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name: name }) => isMeant(name));
  return spaces.reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
}

async function sample(): Promise<void> {
  while (openWork.count > 0) await pause(5);
  // What one collection finds to be finalised the next one frees.
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await pause(5);
  }
  const compiledBytes = usedBytes((space) => COMPILED.test(space));
  const heapBytes = usedBytes((space) => !COMPILED.test(space));
  print(JSON.stringify({ heapBytes, compiledBytes, handles: process.getActiveResourcesInfo().length }));
}

onLine(() => void sample());
void serve();
