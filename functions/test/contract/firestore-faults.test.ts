import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { fakeClock } from '../support/fake-clock';
import { describeWithFirestore } from '../support/firestore-emulator';
import {
  adasKey,
  callRow,
  keptMax,
  keptRun,
  keyRecord,
  openRow,
  rateLimit,
  reservation,
  settlement,
  T0,
} from '../support/store-records';
import { type Intercept, interceptFirestore, rpcError } from './firestore-calls';

/** Outcomes of a commit whose sender gets an error: applied or not. */
const APPLIED = [true, false] as const;
/** Errors after which the outcome is unknown. */
const AMBIGUOUS = [
  [1, 'CANCELLED'],
  [2, 'UNKNOWN'],
  [4, 'DEADLINE_EXCEEDED'],
  [8, 'RESOURCE_EXHAUSTED'],
  [10, 'ABORTED'],
  [13, 'INTERNAL'],
  [14, 'UNAVAILABLE'],
] as const;
const CASES = AMBIGUOUS.flatMap(([code, name]) => APPLIED.map((applied) => [name, { code, name, applied }] as const));

describeWithFirestore('the Firestore store under faults', (emulator) => {
  let projectId: string;
  let store: Store;
  let stop: (() => void) | undefined;
  beforeEach(() => {
    projectId = emulator.newProject();
    store = openFirestoreStore({ projectId });
  });
  afterEach(async () => {
    stop?.();
    stop = undefined;
    await store.close();
  });

  const intercept = (fault: Intercept) => {
    stop = interceptFirestore(fault);
  };
  /** The next `times` commits fail with this error, applied or not. */
  const failCommits = (times: number, { code, name, applied }: { code: number; name: string; applied: boolean }) => {
    let left = times;
    intercept(async (call, send) => {
      if (call.method !== 'commit' || left === 0) return send();
      left -= 1;
      if (applied) await send();
      throw rpcError(code, name);
    });
  };
  const admit = async (requestId: string, max = 5) =>
    (await store.admit(rateLimit(max), [reservation(requestId, { calls: [openRow('c')] })], T0))[0];
  const month = async () => (await store.readMonths('ada', ['2026-03']))[0];

  it.each(CASES)('applies each change once where its commit ends in %s (%j)', async (_, fault) => {
    const changing = <T>(change: () => Promise<T>): Promise<T> => {
      stop?.();
      failCommits(1, fault);
      return change();
    };
    const pro = { userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: T0 };
    expect(await changing(() => admit('r'))).toMatchObject({ admitted: true, remaining: 4 });
    await changing(() => store.checkpoint('r', [callRow('c', { costNanoUsd: 7 })]));
    expect((await store.findRecord('r'))?.calls).toEqual([callRow('c', { costNanoUsd: 7 })]);
    expect(await changing(() => store.settle(settlement('r', [callRow('c')])))).toBe('applied');
    expect(await store.settle(settlement('r', [callRow('c')]))).toBe('already');
    expect(await admit('next')).toMatchObject({ admitted: true, remaining: 3 });
    expect(await month()).toMatchObject({ requests: 1, promptTokens: 10, costNanoUsd: 300, keys: [{ requests: 1 }] });
    expect(await changing(() => store.insertKey(keyRecord('k')))).toBe('inserted');
    expect(await changing(() => store.updateKey(adasKey('k'), { status: 'revoked' }))).toBe(true);
    expect(await store.findKey('k')).toEqual(keyRecord('k', { status: 'revoked' }));
    expect(await changing(() => store.putSubscription(pro))).toBe(true);
    expect(await store.getSubscription('ada')).toEqual(pro);
    await changing(() => store.createRun(keptRun('run'), Buffer.from('request'), keptMax()));
    expect(await changing(() => store.addEvaluation(keptRun('run'), Buffer.from('e'), keptMax()))).toBe(true);
    expect(await store.findRun(keptRun('run'))).toEqual(keptRun('run', { evaluationCount: 1 }));
    expect(await changing(() => store.deleteRuns('ada', 'run'))).toBe(1);
  });

  it('counts everything once when every commit reaches the server twice', async () => {
    await store.insertKey(keyRecord('key-1'));
    intercept(async (call, send) => {
      const answer = await send();
      if (call.method === 'commit') await send().catch(() => {});
      return answer;
    });
    const words = await Promise.all(['a', 'b', 'c', 'd'].map((id) => admit(id, 3)));
    expect(words.filter((word) => word?.admitted)).toHaveLength(3);
    for (const id of ['a', 'b', 'c']) {
      await store.checkpoint(id, [callRow('c')]);
      expect(await store.settle(settlement(id, [callRow('c'), callRow('d', { modelId: 'b' })]))).toBe('applied');
    }
    expect(await month()).toMatchObject({
      requests: 3,
      costNanoUsd: 1_800,
      models: [{ requests: 3 }, { requests: 3 }],
      keys: [{ requests: 3, costNanoUsd: 1_800 }],
    });
  });

  it.each([
    'The query requires an index. You can create it here: https://console.firebase.google.com/…',
    'The query requires an index. That index is currently building and cannot be used yet. See its status here: https://…',
    'The query requires a COLLECTION_ASC index for collection acts and field at. That index is not ready yet. See its status here: https://…',
  ])('asks once and says what is missing where Firestore says: %s', async (says) => {
    let queries = 0;
    intercept((call, send) => {
      if (!/query/i.test(call.method)) return send();
      queries += 1;
      return Promise.reject(rpcError(9, 'FAILED_PRECONDITION', says));
    });
    await expect(store.listExpired(T0, 1)).rejects.toMatchObject({
      code: 'index_missing',
      message: 'A database index is missing or still being built: try again in some minutes',
      cause: { message: expect.stringContaining(says) },
    });
    expect(queries).toBe(1);
  });

  it('needs no index for users, their keys and requests without a budget', async () => {
    const statement = { userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: T0 };
    const terms = { nowMs: T0, liveMax: 20, tagKey: 'tag' };
    intercept((call, send) => {
      if (!call.needsIndex) return send();
      return Promise.reject(rpcError(9, 'FAILED_PRECONDITION', 'The query requires an index.'));
    });
    await store.putSubscription(statement);
    await store.insertKey(keyRecord('key-1'), terms);
    expect(await store.listSubscriptions({ max: 10 })).toEqual([statement]);
    expect(await store.listKeys('ada')).toEqual([keyRecord('key-1')]);
    expect(await admit('r')).toMatchObject({ admitted: true });
  });

  it.each([
    ['an admission', 5_000, (one: Store) => one.admit(rateLimit(1), [reservation('r')], T0)],
    ['a look-up', 5_000, (one: Store) => one.readAccess(['h'])],
    ['a checkpoint', 5_000, (one: Store) => one.checkpoint('r', [openRow('c')])],
    ['a settlement', 10_000, (one: Store) => one.settle(settlement('r', []))],
  ])('ends %s whose call never returns after its time, and sends nothing more', async (_, budgetMs, operation) => {
    const clock = fakeClock();
    const patient = openFirestoreStore({ projectId, clock });
    await patient.findRecord('warm-up');
    let release = (): void => {};
    let calls = 0;
    const called = new Promise<void>((resolve) => {
      intercept(async () => {
        calls += 1;
        resolve();
        await new Promise<void>((end) => {
          release = end;
        });
        throw rpcError(14, 'UNAVAILABLE');
      });
    });
    const outcome = operation(patient).then(
      () => 'done',
      (error: unknown) => error,
    );
    await called;
    await clock.advance(budgetMs - 1);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(await outcome).toMatchObject({
      code: 'store_unavailable',
      cause: { message: expect.stringContaining('took longer') },
    });
    release();
    // Whoever still tried would do so after a pause.
    await clock.advance(1_000);
    await patient.close();
    expect(calls).toBe(1);
  });

  it('refuses everything once closed, without reaching for the server', async () => {
    await store.close();
    await expect(store.findRecord('r')).rejects.toThrow('closed');
    await expect(store.close()).resolves.toBeUndefined();
    const unused = openFirestoreStore({ projectId });
    await unused.close();
    await expect(unused.findRecord('r')).rejects.toThrow('closed');
  });

  it('finishes what was asked before it closes', async () => {
    const done: string[] = [];
    const admitted = admit('r').then(() => done.push('admitted'));
    await store.close().then(() => done.push('closed'));
    await admitted;
    expect(done).toEqual(['admitted', 'closed']);
  });

  it('refuses ids that Firestore cannot hold, with the id in the message', async () => {
    for (const id of ['', '.', '..', 'a/b', '__x__', 'x'.repeat(1_501), '\ud800']) {
      await expect(store.findRecord(id)).rejects.toThrow(RangeError);
    }
  });
});
