import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { describeWithFirestore } from '../support/firestore-emulator';
import { callRow, keyRecord, openRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import { interceptFirestore } from './firestore-calls';

describeWithFirestore('processes that share one Firestore', (emulator) => {
  let one: Store;
  let other: Store;
  let open: () => Store;
  let stop: (() => void) | undefined;
  const opened: Store[] = [];
  beforeEach(() => {
    const projectId = emulator.newProject();
    open = () => {
      const store = openFirestoreStore({ projectId });
      opened.push(store);
      return store;
    };
    [one, other] = [open(), open()];
  });
  afterEach(async () => {
    stop?.();
    stop = undefined;
    await Promise.all(opened.splice(0).map((store) => store.close()));
  });

  /** Stops the next `count` commits on their way, so that all is decided before anything is written. */
  const holdCommits = (count: number) => {
    const held: (() => void)[] = [];
    const arrived = new Promise<void>((resolve) => {
      stop = interceptFirestore(async (call, send) => {
        if (call.method === 'commit' && held.length < count) {
          await new Promise<void>((release) => {
            held.push(release);
            if (held.length === count) resolve();
          });
        }
        return send();
      });
    });
    return { arrived, release: (index: number) => held[index]?.() };
  };
  const admit = async (store: Store, requestId: string, max: number) =>
    (await store.admit(rateLimit(max), [reservation(requestId, { calls: [openRow('c')] })], T0))[0];

  it('admit by a log that another has changed since it was read with the key', async () => {
    await one.insertKey(keyRecord('k', { hash: 'h' }));
    await one.readAccess(['h']);
    await admit(other, 'theirs', 2);
    expect(await admit(one, 'ours', 2)).toMatchObject({ admitted: true, remaining: 0 });
    expect(await admit(one, 'late', 2)).toMatchObject({ admitted: false });
  });

  it('open nothing by a commit that lands after its admission was given up', async () => {
    const commits = holdCommits(1);
    const late = reservation('late', { calls: [openRow('c', { costNanoUsd: 700 })] });
    const admission = one.admit(rateLimit(30), [late], T0);
    await commits.arrived;
    expect(await other.abandon(late, T0 + 5_000)).toBe('applied');
    commits.release(0);
    await admission;
    expect(await other.findRecord('late')).toMatchObject({ state: 'settled', calls: [] });
    expect(await other.readMonths('ada', ['2026-03'])).toMatchObject([{ requests: 1, costNanoUsd: 0, models: [] }]);
  });

  it('list one of two models when both found a place for a last one', async () => {
    const full = Array.from({ length: 199 }, (_, index) => callRow(`c${index}`, { modelId: `model-${index}` }));
    for (const id of ['before', 'a', 'b']) await admit(one, id, 3);
    await one.settle(settlement('before', full));
    const commits = holdCommits(2);
    const words = [
      one.settle(settlement('a', [callRow('c', { modelId: 'a', costNanoUsd: 1_000 })])),
      other.settle(settlement('b', [callRow('c', { modelId: 'b', costNanoUsd: 2_000 })])),
    ];
    await commits.arrived;
    commits.release(1);
    await words[1];
    commits.release(0);
    expect(await Promise.all(words)).toEqual(['applied', 'applied']);
    const [month] = await one.readMonths('ada', ['2026-03']);
    expect(month?.models).toHaveLength(201);
    expect(month?.models.slice(0, 2)).toMatchObject([
      { id: 'b', costNanoUsd: 2_000 },
      { id: 'other', costNanoUsd: 1_000 },
    ]);
  });
});
