import type { Subscription } from '../../src/access/subscription';
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
  const admittedOf = async (words: readonly Promise<{ admitted: boolean } | undefined>[]) =>
    (await Promise.all(words)).map((word) => word?.admitted).sort();

  it.each(['first', 'last'])('let in one of two requests that both saw the %s place free', async (place) => {
    const max = place === 'first' ? 1 : 2;
    if (place === 'last') await admit(one, 'before', max);
    const commits = holdCommits(2);
    const words = [admit(one, 'a', max), admit(other, 'b', max)];
    await commits.arrived;
    commits.release(0);
    commits.release(1);
    expect(await admittedOf(words)).toEqual([false, true]);
  });

  it('let in exactly 30 of 300 requests that come at once to six of them', async () => {
    const words = await Promise.all(
      Array.from({ length: 6 }, open).map((store, process) => {
        const requests = Array.from({ length: 50 }, (_, index) => reservation(`${process}-${index}`));
        // As the limiter does: the first on its own, the rest together.
        const batches = [requests.slice(0, 1), requests.slice(1)];
        return Promise.all(batches.map((batch) => store.admit(rateLimit(30), batch, T0)));
      }),
    );
    expect(words.flat(2).filter(({ admitted }) => admitted)).toHaveLength(30);
  });

  it('let in no more than a budget holds of 60 requests that come at once to six of them', async () => {
    const words = await Promise.all(
      Array.from({ length: 6 }, open).map((store, process) => {
        const change = { calls: [openRow('c')], estimateNanoUsd: 100 };
        const requests = Array.from({ length: 10 }, (_, index) => ({
          ...reservation(`${process}-${index}`, change),
          budgets: { userNanoUsd: 1_000 },
        }));
        const batches = [requests.slice(0, 1), requests.slice(1, 4), requests.slice(4)];
        return Promise.all(batches.map((batch) => store.admit(rateLimit(100), batch, T0)));
      }),
    );
    expect(words.flat(2).filter(({ admitted }) => admitted)).toHaveLength(10);
    expect((await one.readSpend({ userId: 'ada', month: '2026-03' })).userNanoUsd).toBe(1_000);
  });

  it('admit by a log that another has changed since it was read with the key', async () => {
    await one.insertKey(keyRecord('k', { hash: 'h' }));
    await one.readAccess(['h']);
    await admit(other, 'theirs', 2);
    expect(await admit(one, 'ours', 2)).toMatchObject({ admitted: true, remaining: 0 });
    expect(await admit(one, 'late', 2)).toMatchObject({ admitted: false });
  });

  it('take a slot but open no second record for a request that left the log long ago', async () => {
    await admit(one, 'r', 1);
    await one.settle(settlement('r', [callRow('c')]));
    const again = reservation('r', { calls: [openRow('c')] });
    const next = reservation('next');
    const words = await one.admit(rateLimit(1), [again, next], T0 + 3_600_000);
    expect(words.map(({ admitted }) => admitted)).toEqual([true, false]);
    expect((await one.findRecord('r'))?.state).toBe('settled');
  });

  it('never let a user have more keys than the limit', async () => {
    for (let index = 0; index < 17; index += 1) await one.insertKey(keyRecord(`old-${index}`));
    const stores = Array.from({ length: 6 }, open);
    const terms = { liveMax: 20, nowMs: T0, tagKey: 't' };
    const outcomes = await Promise.all(stores.map((store, index) => store.insertKey(keyRecord(`new-${index}`), terms)));
    expect(outcomes.sort()).toEqual(['full', 'full', 'full', 'inserted', 'inserted', 'inserted']);
    expect(await one.listKeys('ada')).toHaveLength(20);
  });

  it('settle a record once when both found it open', async () => {
    await admit(one, 'r', 1);
    const commits = holdCommits(2);
    const words = [one.settle(settlement('r', [callRow('c')])), other.settle(settlement('r', [callRow('c')]))];
    await commits.arrived;
    commits.release(1);
    await words[1];
    commits.release(0);
    expect(await Promise.all(words)).toEqual(['already', 'applied']);
    expect(await one.readMonths('ada', ['2026-03'])).toMatchObject([{ requests: 1, costNanoUsd: 300 }]);
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

  it('settle 24 requests of a user that end at once in three of them, each with ten models of its own', async () => {
    const stores = [one, other, open()];
    const ids = Array.from({ length: 24 }, (_, index) => `r${index}`);
    const opening = ids.map((id) => reservation(id, { calls: [openRow('c')] }));
    await one.admit(rateLimit(100), opening, T0);
    const words = await Promise.all(
      ids.map((id, index) => {
        const calls = Array.from({ length: 10 }, (_, call) => callRow(`c${call}`, { modelId: `${id}-${call}` }));
        return (stores[index % 3] as Store).settle(settlement(id, calls));
      }),
    );
    expect(new Set(words)).toEqual(new Set(['applied']));
    const [month] = await one.readMonths('ada', ['2026-03']);
    expect(month?.models).toHaveLength(201);
    expect(month).toMatchObject({ requests: 24, promptTokens: 2_400 });
    expect(month?.models[0]).toMatchObject({ id: 'other', requests: 40 });
  });

  it('settle a record that a checkpoint changed after it was read', async () => {
    await admit(one, 'r', 1);
    const commits = holdCommits(1);
    const settled = one.settle(settlement('r', [callRow('c')]));
    await commits.arrived;
    await other.checkpoint('r', [openRow('c', { completionTokens: 1 })]);
    commits.release(0);
    expect(await settled).toBe('applied');
    expect((await one.findRecord('r'))?.calls).toEqual([callRow('c')]);
  });

  it('never move the last use of a key back', async () => {
    await one.insertKey(keyRecord('key-1', { hash: 'h1' }));
    const commits = holdCommits(1);
    const earlier = one.noteKeyUse('h1', T0);
    await commits.arrived;
    await other.noteKeyUse('h1', T0 + 600_000);
    commits.release(0);
    await earlier;
    expect((await one.findKey('key-1'))?.lastUsedAtMs).toBe(T0 + 600_000);
  });

  it('keep the newest statement about a subscription when both found none', async () => {
    const statement = (age: number): Subscription => ({
      userId: 'ada',
      tier: 'pro',
      status: `s${age}`,
      sourceUpdatedAtMs: T0 + age,
    });
    await one.putSubscription(statement(0));
    const commits = holdCommits(1);
    const older = one.putSubscription(statement(1));
    await commits.arrived;
    expect(await other.putSubscription(statement(2))).toBe(true);
    commits.release(0);
    expect(await older).toBe(false);
    expect((await one.getSubscription('ada'))?.status).toBe('s2');
  });

  it('write checkpoints of one request in the order they came, also when the first is slow', async () => {
    await admit(one, 'r', 1);
    const commits = holdCommits(1);
    const first = one.checkpoint('r', [openRow('c', { completionTokens: 1 })]);
    await commits.arrived;
    const second = one.checkpoint('r', [openRow('c', { completionTokens: 2 })]);
    await one.findRecord('r');
    commits.release(0);
    await Promise.all([first, second]);
    expect((await one.findRecord('r'))?.calls).toEqual([openRow('c', { completionTokens: 2 })]);
  });
});
