import { join } from 'node:path';
import type { Firestore } from '@google-cloud/firestore';
import { createKey } from '../../src/access/keys';
import { parsePeppers } from '../../src/access/peppers';
import { isRefusal } from '../../src/errors';
import { systemClock } from '../../src/lib/clock';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { describeWithFirestore, rawFirestore } from '../support/firestore-emulator';
import { type WorkerProcess, workerPool } from '../support/worker-pool';
import { seededRandom, withSeed } from './seeded-random';

const PROCESSES = 3;
const RETRIES = 50;
const AT_A_TIME = 6;
/** Time of a model's reply: the ensemble is under way for twice that. */
const MODEL_MS = 300;
/** Two drafts and the answer. */
const CALLS = 3;
const PATIENCE_MS = 120_000;
const ADA = 'ada';

describeWithFirestore('requests repeated with one Idempotency-Key over three processes', (emulator) => {
  const pool = workerPool(join(__dirname, 'idempotency-worker.ts'));
  let store: Store;
  let raw: Firestore;
  let instances: WorkerProcess[];
  let key: string;
  beforeEach(async () => {
    const projectId = emulator.newProject();
    store = openFirestoreStore({ projectId });
    raw = rawFirestore(projectId);
    await store.putSubscription({ userId: ADA, tier: 'pro', status: 'active', sourceUpdatedAtMs: 1 });
    const keys = { store, clock: systemClock, keyPrefix: 'ens', peppers: parsePeppers('test-pepper') };
    const created = await createKey(keys, { userId: ADA, name: 'laptop' });
    if (isRefusal(created)) throw new Error(created.text);
    key = created.key;
    instances = Array.from({ length: PROCESSES }, () => pool.start(projectId, String(MODEL_MS)));
    await Promise.all(instances.map((instance) => instance.printed(1)));
  }, PATIENCE_MS);
  afterEach(async () => {
    await store.close();
    await raw.terminate();
  });

  const ask = (at: number, stream: boolean, signal?: AbortSignal): Promise<Response> =>
    fetch(`http://127.0.0.1:${instances[at]?.lines[0]}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': `the-only-${stream}`,
      },
      body: JSON.stringify({
        model: 'demo-ada',
        stream,
        messages: [{ role: 'user', content: 'Is a tomato a fruit?' }],
        ai_ensemble: { models: ['demo-blaise', 'demo-curie'] },
      }),
      ...(signal && { signal }),
    });
  const modelCalls = (): number => instances.flatMap(({ lines }) => lines).filter((line) => line === 'called').length;
  const ledger = async (): Promise<string[]> => {
    const { docs } = await raw.collection('usageLedger').get();
    return docs.map((doc) => doc.data()['state']);
  };

  it.each([
    { kind: 'streams', stream: true },
    { kind: 'JSON replies', stream: false },
  ])(
    'pay once for 50 connections dropped at random moments: $kind',
    async ({ stream }) => {
      const random = seededRandom();
      await withSeed(random, async () => {
        let left = RETRIES;
        const client = async (): Promise<void> => {
          while (left > 0) {
            left -= 1;
            const { signal, drop } = dropAfter(random.below(MODEL_MS));
            const reply = ask(random.below(PROCESSES), stream, signal);
            await reply.then((sent) => sent.text()).catch(() => undefined);
            drop();
          }
        };
        await Promise.all(Array.from({ length: AT_A_TIME }, client));
        const replies = await Promise.all(instances.map((_, at) => ask(at, stream)));
        const texts = await Promise.all(replies.map((reply) => reply.text()));
        expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
        expect(new Set(texts).size).toBe(1);
        expect(texts[0]).toContain(stream ? 'data: [DONE]' : 'Botanically it is a berry.');
        expect(modelCalls()).toBe(CALLS);
        expect(await ledger()).toEqual(['settled']);
      });
    },
    PATIENCE_MS,
  );
});

/** A signal that is aborted at its moment, or when its request has ended before. */
function dropAfter(delayMs: number) {
  const controller = new AbortController();
  const drop = (): void => controller.abort();
  systemClock.after(delayMs, drop);
  return { signal: controller.signal, drop };
}
