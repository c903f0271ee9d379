import { parsePeppers } from '../../src/access/api-key';
import { ServerBudget } from '../../src/access/budget';
import { type Caller, createGuard, type Guard } from '../../src/access/guard';
import { createKey } from '../../src/access/keys';
import { createLimiter } from '../../src/access/limiter';
import { isRefusal } from '../../src/errors';
import { reconcileMonths } from '../../src/ledger/reconcile';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { type FakeClock, fakeClock } from '../support/fake-clock';
import { describeWithFirestore } from '../support/firestore-emulator';
import { callRow, keptMax, keptRun, openRow, rateLimit, reservation, settlement } from '../support/store-records';
import { callsOf } from './firestore-calls';

const DAY_MS = 24 * 60 * 60 * 1000;
const PEPPERS = parsePeppers('newest,older');
/** Well formed, but nobody who has a pepper made it: its tag is the CRC-32 of the rest. */
const MADE_UP_KEY = `sk-ens_${'0'.repeat(43)}0v7eD8`;

describeWithFirestore('what requests cost on Firestore', (emulator) => {
  let clock: FakeClock;
  let store: Store;
  let guard: Guard;
  let serverBudget: ServerBudget;
  let authorization: string;
  let keyId: string;
  let hash: string;
  /** What is written beside a request. */
  let noted: Promise<void> | undefined;
  beforeEach(async () => {
    clock = fakeClock();
    const projectId = emulator.newProject();
    const operator = openFirestoreStore({ projectId });
    await operator.putSubscription({ userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: clock.nowMs() });
    const deps = { store: operator, clock, keyPrefix: 'ens', peppers: PEPPERS };
    const created = await createKey(deps, { userId: 'ada', name: 'laptop' });
    if (isRefusal(created)) throw new Error(created.text);
    authorization = `Bearer ${created.key}`;
    keyId = created.record.keyId;
    hash = created.record.hash;
    // What follows is within the minute of its last use.
    await operator.noteKeyUse(hash, clock.nowMs());
    await operator.close();
    // Another process than the one that made the key.
    store = openFirestoreStore({ projectId, clock });
    const limiter = createLimiter(store, rateLimit(3), clock);
    serverBudget = new ServerBudget(store, clock);
    const noting = (...use: Parameters<Store['noteKeyUse']>) => {
      noted = store.noteKeyUse(...use);
      return noted;
    };
    guard = createGuard({
      store: { ...store, noteKeyUse: noting },
      limiter,
      serverBudget,
      clock,
      keyPrefix: 'ens',
      peppers: PEPPERS,
    });
    await serverBudget.refusal(request('first'));
  });
  afterEach(() => store.close());

  const request = (requestId: string) =>
    reservation(requestId, { keyId, calls: [openRow('c')], startedAtMs: clock.nowMs() });
  const known = async (by = guard): Promise<Caller> => {
    const caller = await by.identify(authorization);
    if (isRefusal(caller)) throw new Error(caller.text);
    return caller;
  };
  const enter = async (requestId: string) => {
    return guard.admit(await known(), request(requestId));
  };
  it('looks up a key it has not met under every pepper, then its owner', async () => {
    expect(await callsOf(() => guard.identify(authorization))).toEqual(['batchGetDocuments 2', 'batchGetDocuments 2']);
  });

  it('lets a known key in with three reads and two round trips before the first model call', async () => {
    await enter('cold');
    expect(await callsOf(() => enter('warm'))).toEqual(['batchGetDocuments 3', 'commit']);
    expect((await store.findRecord('warm'))?.state).toBe('open');
  });

  it('reads what a user with a budget has spent in one more round trip, and nothing for others', async () => {
    await enter('cold');
    await store.setUserBudget('ada', 1_000_000);
    expect(await callsOf(() => enter('warm'))).toEqual([
      'batchGetDocuments 3',
      ...['batchGetDocuments 1', 'runQuery'],
      'commit',
    ]);
  });

  it('asks for the budget of the deployment once a minute, and for what was spent of it every 15 seconds', async () => {
    const ask = () => callsOf(() => serverBudget.refusal(request('r')));
    await clock.advance(59_999);
    expect(await ask()).toEqual([]);
    await clock.advance(1);
    expect(await ask()).toEqual(['batchGetDocuments 1']);
    await store.setServerBudget(1_000_000);
    await clock.advance(60_000);
    expect((await ask()).sort()).toEqual(['batchGetDocuments 1', 'runAggregationQuery', 'runAggregationQuery']);
    await clock.advance(14_999);
    expect(await ask()).toEqual([]);
    await clock.advance(1);
    expect(await ask()).toHaveLength(3);
  });

  it('reads nothing for any number of made-up keys, but once in ten minutes which tags there ever were', async () => {
    const flood = async () => {
      const keys = Array.from(
        { length: 1_000 },
        (_, index) => MADE_UP_KEY.slice(0, -6) + String(index).padStart(6, '0'),
      );
      const replies = await Promise.all([MADE_UP_KEY, ...keys].map((key) => guard.identify(`Bearer ${key}`)));
      expect(new Set(replies.map((reply) => isRefusal(reply) && reply.code))).toEqual(new Set(['unauthorized']));
    };
    expect(await callsOf(flood)).toEqual(['runQuery']);
    expect(await callsOf(flood)).toEqual([]);
    await clock.advance(10 * 60_000);
    expect(await callsOf(flood)).toEqual(['runQuery']);
  });

  it('keeps a run with a read and a commit for each write, and counts its user’s runs once', async () => {
    const run = keptRun('a');
    expect(await callsOf(() => store.createRun(run, new Uint8Array(9), keptMax()))).toEqual([
      ...['batchGetDocuments 1', 'commit', 'runAggregationQuery'],
    ]);
    const batch = { from: 0, to: 3, bytes: new Uint8Array(9) };
    const write = ['batchGetDocuments 1', 'commit'];
    expect(await callsOf(() => store.writeRun({ ...run, eventCount: 3 }, batch))).toEqual(write);
    expect(await callsOf(() => store.writeRun({ ...run, eventCount: 3 }))).toEqual(write);
    expect(await callsOf(() => store.findRun(run))).toEqual(['batchGetDocuments 1']);
    expect(await callsOf(() => store.readPart(run, 'events', 0))).toEqual(['runQuery']);
    expect(await callsOf(() => store.listRuns('ada', { max: 9 }))).toEqual(['runQuery']);
  });

  it('admits requests that come together in one commit after the first', async () => {
    const caller = await known();
    const calls = await callsOf(() => Promise.all(['a', 'b', 'c'].map((id) => guard.admit(caller, request(id)))));
    expect(calls).toEqual(['commit', 'batchGetDocuments 1', 'commit']);
  });

  it('reads the log for an admission long after the look-up', async () => {
    const caller = await known();
    await clock.advance(5_001);
    expect(await callsOf(() => guard.admit(caller, request('late')))).toEqual(['batchGetDocuments 1', 'commit']);
  });

  it('writes a checkpoint in one call and without reading', async () => {
    await enter('r');
    expect(await callsOf(() => store.checkpoint('r', [callRow('c')]))).toEqual(['commit']);
  });

  it('writes checkpoints of one request that come at the same moment in one call', async () => {
    await enter('r');
    const rows = Array.from({ length: 20 }, (_, index) => openRow(`c${index}`));
    expect(await callsOf(() => Promise.all(rows.map((row) => store.checkpoint('r', [row]))))).toEqual(['commit']);
  });

  it('settles with two reads and two round trips', async () => {
    await enter('first');
    const settle = () => store.settle(settlement('first', [callRow('c')]));
    expect(await callsOf(settle)).toEqual(['batchGetDocuments 2', 'commit']);
  });

  it('notes the use of a key with one read and two round trips, once a minute, beside the request', async () => {
    await enter('cold');
    await clock.advance(60_000);
    // It is asked for the budget of the deployment as often.
    await serverBudget.refusal(request('r'));
    const calls = await callsOf(async () => {
      await enter('warm');
      await noted;
    });
    expect(calls.sort()).toEqual(['batchGetDocuments 1', 'batchGetDocuments 3', 'commit', 'commit']);
    expect((await store.findKey(keyId))?.lastUsedAtMs).toBe(clock.nowMs());
    expect(await callsOf(() => store.noteKeyUse(hash, clock.nowMs()))).toEqual(['batchGetDocuments 1']);
    expect(await callsOf(() => enter('next'))).toEqual(['batchGetDocuments 3', 'commit']);
  });

  it('checks a day of 20 requests of a user for at most $0.50 a million, whatever the month had before', async () => {
    const day = async (requests: number, name: string) => {
      const ids = Array.from({ length: requests }, (_, index) => `${name}-${index}`);
      await store.admit(rateLimit(1_000), ids.map(request), clock.nowMs());
      const settledAtMs = clock.nowMs();
      // One after another: they would wait for each other by a clock that stands still.
      for (const id of ids) await store.settle(settlement(id, [callRow('c')], { settledAtMs }));
      await clock.advance(DAY_MS);
    };
    const reconcile = () => reconcileMonths(store, clock, (difference) => expect(difference).toBeUndefined());
    await day(30, 'before');
    await reconcile();
    await day(20, 'today');
    const calls = await callsOf(async () => expect(await reconcile()).toBe(1));
    // How far it came; the 20 records; what was kept and the month; that no later records came. Then both are kept.
    const reads = ['batchGetDocuments 1', 'runQuery', 'batchGetDocuments 1', 'batchGetDocuments 1', 'runQuery'];
    expect(calls).toEqual([...reads, 'commit', 'commit']);
    expect((await store.listClosed(clock.nowMs() - 1.5 * DAY_MS, 1_000)).length).toBe(20);
    // Per million: $0.30 for reads, an empty query being one, and $0.90 for writes.
    expect(((1 + 20 + 2 + 1) * 0.3 + 2 * 0.9) / 20).toBeLessThanOrEqual(0.5);
  });
});
