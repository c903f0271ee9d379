import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import type { Store } from '../../src/store/store';
import { openRow, rateLimit, reservation } from '../support/store-records';
import { print } from '../support/worker-lines';

/**
 * One process of the tests with several: `node worker.js <no host> <directory> <name>`. It prints
 * `ready`, waits for a moment (in milliseconds) on standard input, opens the embedded store and asks for admissions.
 */
const [, , , directory = '', name = ''] = process.argv;

/** Asks for 50 admissions of one user at once; prints how many were granted. */
async function admitMany(store: Store, nowMs: number): Promise<void> {
  const ids = Array.from({ length: 50 }, (_, index) => `${name}-${index}`);
  const words = await Promise.all(
    ids.map((id) => store.admit(rateLimit(30), [reservation(id, { calls: [openRow('c')] })], nowMs)),
  );
  print(`admitted ${words.filter(([word]) => word?.admitted).length}`);
  await store.close();
}

print('ready');
process.stdin.once('data', (line) => {
  process.stdin.destroy();
  void admitMany(openEmbeddedStore({ directory }), Number(line));
});
