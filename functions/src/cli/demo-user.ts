import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newAct } from '../access/act';
import { createKeyTags, hashKey } from '../access/api-key';
import { isLive } from '../access/key-state';
import { createKey } from '../access/keys';
import { isActivePro } from '../access/subscription';
import { isRefusal } from '../errors';
import type { Services } from '../services';
import { makeDirectory } from '../store/make-directory';
import { type Speakers, speakersOf } from './speakers';

const DEMO_USER = 'demo';

/** Makes the Pro user `demo` with a key that stays the same: the data directory has it, for its owner alone. */
export async function seedDemoUser(
  container: Services,
): Promise<{ readonly key: string; readonly speakers: Speakers }> {
  const { config } = container;
  await subscribe(container);
  const file = join(config.dataDirectory, 'demo-key');
  const key = (await savedKey(container, file)) ?? (await newKey(container, file));
  return { key, speakers: speakersOf(container, process.env) };
}

/** Said anew with every start, and recorded when it is news. */
async function subscribe({ store, clock }: Services): Promise<void> {
  const plan = { tier: 'pro', status: 'active' };
  const isNews = !isActivePro(await store.getSubscription(DEMO_USER));
  const act = newAct(clock, { actor: 'system', name: 'subscriptions.set', userId: DEMO_USER, details: plan });
  const statement = { userId: DEMO_USER, ...plan, sourceUpdatedAtMs: clock.nowMs() };
  await store.putSubscription(statement, isNews ? act : undefined);
}

async function savedKey({ store, clock, peppers }: Services, file: string): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const key = readFileSync(file, 'utf8').trim();
  const isIssued = createKeyTags(store, peppers, clock);
  if (!(await isIssued(key))) return undefined;
  const access = await store.readAccess(peppers.map((pepper) => hashKey(key, pepper)));
  return access && isLive(access.key, clock.nowMs()) ? key : undefined;
}

async function newKey(container: Services, file: string): Promise<string> {
  const { dataDirectory, keyPrefix } = container.config;
  const created = await createKey({ ...container, keyPrefix, actor: 'system' }, { userId: DEMO_USER, name: 'demo' });
  if (isRefusal(created)) throw new Error(created.text);
  makeDirectory(dataDirectory);
  writeFileSync(file, `${created.key}\n`, { mode: 0o600 });
  return created.key;
}
