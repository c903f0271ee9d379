import { createKey } from '../src/access/keys';
import { readConfig } from '../src/config';
import { isRefusal } from '../src/errors';
import { createServices } from '../src/services';

/** Makes `USERS` Pro users with one key each, through the service's own code, and prints the keys as a JSON array. */
async function seedUsers(): Promise<void> {
  const { store, clock, peppers, config } = createServices(readConfig(process.env));
  const deps = { store, clock, peppers, keyPrefix: config.keyPrefix };
  try {
    const users = Array.from({ length: Number(process.env['USERS']) }, (_, index) => `bench-${index}`);
    const keys = await Promise.all(
      users.map(async (userId) => {
        await store.putSubscription({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
        const created = await createKey(deps, { userId, name: 'bench' });
        if (isRefusal(created)) throw new Error(created.text);
        return created.key;
      }),
    );
    console.log(JSON.stringify(keys));
  } finally {
    await store.close();
  }
}

void seedUsers().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
