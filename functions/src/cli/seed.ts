import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadLocalEnvironment, readConfig } from '../config';
import { type Container, createContainer } from '../container';
import { isRefusal } from '../errors';
import { hashKey } from '../guard/api-key';
import { isLive } from '../guard/key-store';
import { KeyTags } from '../guard/key-tags';
import { createKey } from '../keys/keys';

const DEMO_USER = 'demo';

/**
 * Makes a local server usable at once: a Pro user `demo` with a key, printed as JSON with the models served.
 * The key is kept in the data directory, readable by its owner only, so that it stays the same over restarts.
 */
async function seed(): Promise<void> {
  loadLocalEnvironment(process.cwd());
  const container = createContainer(readConfig({ ...process.env, LOG_LEVEL: 'error' }));
  const { store, clock, config } = container;
  try {
    await store.putSubscription({ userId: DEMO_USER, tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
    const file = join(config.dataDirectory, 'demo-key');
    const key = (await savedKey(container, file)) ?? (await newKey(container, file));
    const real = container.catalog.rows.some(({ provider }) => provider in config.providers);
    console.log(JSON.stringify({ key, real }));
  } finally {
    await store.close();
  }
}

async function savedKey({ store, clock, peppers }: Container, file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const key = readFileSync(file, 'utf8').trim();
  const tags = new KeyTags(store, peppers, clock);
  if (!(await tags.fit(key))) return undefined;
  const access = await store.readAccess(peppers.map((pepper) => hashKey(key, pepper)));
  return access && isLive(access.key, clock.nowMs()) ? key : undefined;
}

async function newKey(container: Container, file: string): Promise<string> {
  const { dataDirectory, keyPrefix } = container.config;
  const created = await createKey({ ...container, keyPrefix }, { userId: DEMO_USER, name: 'demo' });
  if (isRefusal(created)) throw new Error(created.text);
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${created.key}\n`, { mode: 0o600 });
  return created.key;
}

void seed().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
