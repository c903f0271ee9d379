import { createKey } from '../../src/access/keys';
import { parsePeppers } from '../../src/access/peppers';
import { isRefusal } from '../../src/errors';
import type { Clock } from '../../src/lib/clock';
import type { Store } from '../../src/store/store';

/** Makes somebody a Pro user with a key, which it returns, for processes whose `KEY_PEPPER` is `test-pepper`. */
export async function proKey(store: Store, userId: string, clock: Clock): Promise<string> {
  await store.putSubscription({ userId, tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
  const deps = { store, clock, keyPrefix: 'ens', peppers: parsePeppers('test-pepper') };
  const created = await createKey(deps, { userId, name: 'laptop' });
  if (isRefusal(created)) throw new Error(created.text);
  return created.key;
}
