import { join } from 'node:path';
import { isRefusal } from '../../src/errors';
import { parsePeppers } from '../../src/guard/api-key';
import { createKey } from '../../src/keys/keys';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { fakeClock } from '../support/fake-clock';
import { describeWithFirestore } from '../support/firestore-emulator';
import { T0 } from '../support/store-records';
import { type WorkerProcess, workerPool } from '../support/worker-pool';

const PROCESSES = 6;
const REQUESTS = 300;
const ADA = 'ada';
/** For slow machines. */
const PATIENCE_MS = 120_000;

describeWithFirestore('six instances of the service', (emulator) => {
  const pool = workerPool(join(__dirname, 'service-worker.ts'));
  let store: Store;
  let instances: WorkerProcess[];
  let key: string;
  beforeEach(async () => {
    const projectId = emulator.newProject();
    store = openFirestoreStore({ projectId });
    key = await keyOfAda(store);
    instances = Array.from({ length: PROCESSES }, () => pool.start(projectId, String(T0)));
    await Promise.all(instances.map((instance) => instance.printed(1)));
  }, PATIENCE_MS);
  afterEach(() => store.close());

  const ask = async (instance: WorkerProcess | undefined): Promise<Response> => {
    const response = await fetch(`http://127.0.0.1:${instance?.lines[0]}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'demo-ada', messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] }),
    });
    await response.arrayBuffer();
    return response;
  };
  const moveClocks = async (toMs: number): Promise<void> => {
    await Promise.all(
      instances.map((instance) => {
        const { length } = instance.lines;
        instance.send(String(toMs));
        return instance.printed(length + 1);
      }),
    );
  };
  const month = async () => (await store.readMonths(ADA, ['2026-03']))[0];

  it(
    'answer exactly 30 of 300 requests of one user that come at once, and tell the others the true wait',
    async () => {
      const replies = await Promise.all(
        Array.from({ length: REQUESTS }, (_, index) => ask(instances[index % PROCESSES])),
      );
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(30);
      expect(statuses.filter((status) => status === 429)).toHaveLength(270);
      const waits = replies.filter(({ status }) => status === 429).map(({ headers }) => headers.get('retry-after'));
      expect(new Set(waits)).toEqual(new Set(['60']));
      expect(await month()).toMatchObject({ requests: 30, keys: [{ requests: 30 }] });

      await moveClocks(T0 + 59_999);
      for (const instance of instances) {
        const early = await ask(instance);
        expect([early.status, early.headers.get('retry-after')]).toEqual([429, '1']);
      }
      await moveClocks(T0 + 60_000);
      for (const instance of instances) expect((await ask(instance)).status).toBe(200);
      expect(await month()).toMatchObject({ requests: 30 + PROCESSES });
    },
    PATIENCE_MS,
  );
});

async function keyOfAda(store: Store): Promise<string> {
  await store.putSubscription({ userId: ADA, tier: 'pro', status: 'active', sourceUpdatedAtMs: T0 });
  const deps = { store, clock: fakeClock(T0), keyPrefix: 'ens', peppers: parsePeppers('test-pepper') };
  const created = await createKey(deps, { userId: ADA, name: 'laptop' });
  if (isRefusal(created)) throw new Error(created.text);
  return created.key;
}
