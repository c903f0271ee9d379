import { join } from 'node:path';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import { during } from '../support/during';
import { rateLimit, reservation, T0 } from '../support/store-records';
import { temporaryDirectory } from '../support/temporary-directory';
import { workerPool } from '../support/worker-pool';

describe('several processes on one directory', () => {
  const scratch = during('all', temporaryDirectory);
  const { start } = workerPool(join(__dirname, 'store-worker.ts'));

  it('create the tables together and let in exactly 30 of 300 requests of one user', async () => {
    const directory = join(scratch.path, 'admit');
    const names = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
    const processes = names.map((name) => start(directory, name));
    await Promise.all(processes.map((process) => process.printed(1)));
    for (const process of processes) process.send(String(T0));
    await Promise.all(processes.map(({ ended }) => ended));
    const granted = processes.map(({ lines }) => Number(lines[1]?.split(' ')[1]));
    expect(granted.reduce((sum, count) => sum + count, 0)).toBe(30);

    const store = openEmbeddedStore({ directory });
    const ids = names.flatMap((name) => Array.from({ length: 50 }, (_, index) => `${name}-${index}`));
    const records = await Promise.all(ids.map((id) => store.findRecord(id)));
    expect(records.filter((record) => record !== undefined)).toHaveLength(30);
    const [word] = await store.admit(rateLimit(31), [reservation('one-more')], T0);
    expect(word).toMatchObject({ admitted: true, remaining: 0 });
    await store.close();
  });
});
