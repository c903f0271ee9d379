import { join } from 'node:path';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { fakeClock } from '../support/fake-clock';
import { describeWithFirestore } from '../support/firestore-emulator';
import { T0 } from '../support/store-records';
import { type WorkerProcess, workerPool } from '../support/worker-pool';
import { type FirestoreProxy, startFirestoreProxy } from './firestore-proxy';
import { proKey } from './pro-key';
import { seededRandom, withSeed } from './seeded-random';

const PROCESSES = 6;
const REQUESTS = 300;
const FLEET = 20;
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
    key = await proKey(store, ADA, fakeClock(T0));
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

/** Milliseconds on every way: alike for all, as in one region, or each call with its own. */
const DISTANCES = [
  [40, 40],
  [5, 40],
] as const;

describeWithFirestore('twenty instances, 5 to 40 ms away from the database', (emulator) => {
  const pool = workerPool(join(__dirname, 'limiter-worker.ts'));
  const random = seededRandom();
  let distance: (typeof DISTANCES)[number] = DISTANCES[0];
  let proxy: FirestoreProxy;
  let instances: WorkerProcess[];
  beforeEach(async () => {
    const host = process.env['FIRESTORE_EMULATOR_HOST'] ?? '';
    const delayMs = () => distance[0] + random.below(distance[1] - distance[0] + 1);
    proxy = await startFirestoreProxy(host, () => undefined, delayMs);
    process.env['FIRESTORE_EMULATOR_HOST'] = proxy.host;
    const projectId = emulator.newProject();
    instances = Array.from({ length: FLEET }, () => pool.start(projectId, '0', '60000'));
    process.env['FIRESTORE_EMULATOR_HOST'] = host;
    await Promise.all(instances.map((instance) => instance.printed(1)));
  }, PATIENCE_MS);
  afterEach(async () => {
    for (const instance of instances) instance.kill();
    await proxy.close();
  });

  /** Three requests to each instance, all of one user and at once: how many ended how. */
  const burst = async (userId: string) => {
    const before = instances.map(({ lines }) => lines.length);
    for (const request of [1, 2, 3]) {
      for (const [index, instance] of instances.entries()) instance.send(`${userId} ${userId}.${index}.${request}`);
    }
    await Promise.all(instances.map((instance, index) => instance.printed((before[index] ?? 0) + 3)));
    const lines = instances.flatMap((instance, index) => instance.lines.slice(before[index]));
    const count = (word: string) => lines.filter((line) => line.split(' ')[1] === word).length;
    return { admitted: count('admitted'), denied: count('denied'), failed: count('failed') };
  };

  it(
    'let in exactly 30 of 60 requests that come at once, and fail none, however far they are',
    () =>
      withSeed(random, async () => {
        const ends: object[] = [];
        for (distance of DISTANCES) ends.push(await burst(`user-${ends.length}`));
        expect(ends).toEqual(DISTANCES.map(() => ({ admitted: 30, denied: 30, failed: 0 })));
      }),
    PATIENCE_MS,
  );
});
