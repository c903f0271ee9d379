import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import type { Store } from '../../src/store/store';
import { callRow, openRow, rateLimit, reservation, settlement } from '../support/store-records';
import { print } from '../support/worker-lines';

/**
 * One process of the tests with several: `node worker.js <no host> <role> <directory> <name>`. It prints
 * `ready`, waits for a moment (in milliseconds) on standard input, opens the embedded store and plays its role.
 */
const [, , , role, directory = '', name = ''] = process.argv;

/** Asks for 50 admissions of one user at once; prints how many were granted. */
async function admitMany(store: Store, nowMs: number): Promise<void> {
  const ids = Array.from({ length: 50 }, (_, index) => `${name}-${index}`);
  const words = await Promise.all(
    ids.map((id) => store.admit(rateLimit(30), [reservation(id, { calls: [openRow('c')] })], nowMs)),
  );
  print(`admitted ${words.filter(([word]) => word?.admitted).length}`);
  await store.close();
}

/** Runs four requests at a time until it is killed, saying what it begins and what the store has acknowledged. */
async function runForever(store: Store, nowMs: number): Promise<void> {
  let count = 0;
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (;;) {
        count += 1;
        await runRequest(store, `${name}-${count}`, { nowMs, number: count });
      }
    }),
  );
}

async function runRequest(store: Store, requestId: string, at: { nowMs: number; number: number }): Promise<void> {
  const modelId = `model-${at.number % 3}`;
  print(`begin ${requestId}`);
  const opening = reservation(requestId, { calls: [openRow('a', { modelId })] });
  await store.admit(rateLimit(1_000_000), [opening], at.nowMs + at.number * 60_000);
  print(`listed ${requestId} a`);
  await store.checkpoint(requestId, [callRow('a', { modelId, costNanoUsd: at.number }), openRow('b', { modelId })]);
  print(`listed ${requestId} b`);
  await store.checkpoint(requestId, [openRow('b', { modelId, completionTokens: 3, costNanoUsd: 5 })]);
  const calls = [callRow('a', { modelId, costNanoUsd: at.number }), callRow('b', { modelId, costNanoUsd: 11 })];
  await store.settle(settlement(opening, calls));
  print(`settled ${requestId}`);
}

print('ready');
process.stdin.once('data', (line) => {
  process.stdin.destroy();
  const play = role === 'admit' ? admitMany : runForever;
  void play(openEmbeddedStore({ directory }), Number(line));
});
