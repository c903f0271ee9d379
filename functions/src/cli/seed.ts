import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createKey, isLive } from '../account/keys';
import { loadLocalEnvironment, readConfig } from '../config';
import { type Container, createContainer } from '../container';
import { isRefusal } from '../errors';
import { hashKey } from '../guard/api-key';
import { isEndpoint } from '../models/catalog';

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
    const key = (await savedKey(container)) ?? (await newKey(container));
    const providers = [config.openai, config.anthropic, config.google].some((access) => access !== null);
    const real = providers || container.catalog.rows.some(({ provider }) => isEndpoint(provider));
    console.log(JSON.stringify({ key, real }));
  } finally {
    await store.close();
  }
}

function keyFile({ config }: Container): string {
  return join(config.dataDirectory, 'demo-key');
}

async function savedKey(container: Container): Promise<string | undefined> {
  const key = readIfThere(keyFile(container))?.trim();
  if (!key) return undefined;
  const access = await container.store.readAccess(container.peppers.map((pepper) => hashKey(key, pepper)));
  return access && isLive(access.key, container.clock.nowMs()) ? key : undefined;
}

async function newKey(container: Container): Promise<string> {
  const { store, clock, peppers, config } = container;
  const created = await createKey(
    { store, clock, peppers, keyPrefix: config.keyPrefix },
    { userId: DEMO_USER, name: 'demo' },
  );
  if (isRefusal(created)) throw new Error(created.text);
  mkdirSync(config.dataDirectory, { recursive: true, mode: 0o700 });
  writeFileSync(keyFile(container), `${created.key}\n`, { mode: 0o600 });
  return created.key;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

void seed().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
