import { join } from 'node:path';
import { describeWithFirestore } from '../support/firestore-emulator';
import { type WorkerProcess, workerPool } from '../support/worker-pool';
import { type FirestoreProxy, startFirestoreProxy } from './firestore-proxy';
import { seededRandom, withSeed } from './seeded-random';

const FLEET = 20;
/** For slow machines. */
const PATIENCE_MS = 120_000;

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
