import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadLocalEnvironment, readConfig } from '../config';
import { type Container, createContainer } from '../container';
import { isRefusal } from '../errors';
import { newAct } from '../guard/act';
import { hashKey } from '../guard/api-key';
import { isLive } from '../guard/key-store';
import { KeyTags } from '../guard/key-tags';
import { isActivePro } from '../guard/subscription';
import { createKey } from '../keys/keys';

const DEMO_USER = 'demo';

/**
 * Makes a local server usable at once: a Pro user `demo` with a key, printed as JSON with the models served.
 * The key is kept in the data directory, readable by its owner only, so that it stays the same over restarts.
 */
async function seed(): Promise<void> {
  loadLocalEnvironment(process.cwd());
  const container = createContainer(readConfig({ ...process.env, LOG_LEVEL: 'error' }));
  const { store, config } = container;
  try {
    await subscribe(container);
    const file = join(config.dataDirectory, 'demo-key');
    const key = (await savedKey(container, file)) ?? (await newKey(container, file));
    const real = container.catalog.rows.some(({ provider }) => provider in config.providers);
    console.log(JSON.stringify({ key, real }));
  } finally {
    await store.close();
  }
}

/** Said anew with every start, and recorded when it is news. */
async function subscribe({ store, clock }: Container): Promise<void> {
  const plan = { tier: 'pro', status: 'active' };
  const isNews = !isActivePro(await store.getSubscription(DEMO_USER));
  const act = newAct(clock, { actor: 'system', name: 'subscriptions.set', userId: DEMO_USER, details: plan });
  const statement = { userId: DEMO_USER, ...plan, sourceUpdatedAtMs: clock.nowMs() };
  await store.putSubscription(statement, isNews ? act : undefined);
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
  const created = await createKey({ ...container, keyPrefix, actor: 'system' }, { userId: DEMO_USER, name: 'demo' });
  if (isRefusal(created)) throw new Error(created.text);
  mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${created.key}\n`, { mode: 0o600 });
  return created.key;
}

void seed().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
