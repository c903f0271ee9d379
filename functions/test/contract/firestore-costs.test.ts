import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { type FakeClock, fakeClock } from '../support/fake-clock';
import { describeWithFirestore } from '../support/firestore-emulator';
import {
  callRow,
  grantLease,
  keptMax,
  keptRun,
  keyRecord,
  openRow,
  rateLimit,
  reservation,
  settlement,
  T0,
} from '../support/store-records';
import { callsOf } from './firestore-calls';

const BUDGET = { userNanoUsd: 1_000_000 };
const RUN = keptRun('run');
const READ = 'batchGetDocuments 1';

type Work = (store: Store, clock: FakeClock) => unknown;

const admit = (store: Store, id: string, change: object = {}) =>
  store.admit(rateLimit(9), [{ ...reservation(id, { calls: [openRow('c')] }), ...change }], T0);
const lookUp: Work = (store) => store.readAccess(['hash-of-key-1']);
const admitOne: Work = (store) => admit(store, 'r');
const keep: Work = (store) => store.createRun(RUN, Buffer.from('request'), keptMax());
const write: Work = (store) => store.writeRun(RUN, { from: 0, to: 3, bytes: Buffer.from('events') });

/** Operations, what comes before them in the same process, and their calls. */
const OPERATIONS: readonly [operation: string, before: Work[], work: Work, calls: string[]][] = [
  [
    'the look-up of a key that was not met, under two peppers, and of its owner',
    [],
    (store) => store.readAccess(['hash of another pepper', 'hash-of-key-1']),
    ['batchGetDocuments 2', 'batchGetDocuments 2'],
  ],
  ['the look-up of one that was, with the log of its owner’s limiter', [lookUp], lookUp, ['batchGetDocuments 3']],
  ['the admission that follows a look-up', [lookUp], admitOne, ['commit']],
  [
    'an admission long after the look-up',
    [lookUp, (_, clock) => clock.advance(5_001)],
    admitOne,
    ['batchGetDocuments 1', 'commit'],
  ],
  ['an admission after another one', [lookUp, admitOne], (store) => admit(store, 'next'), [READ, 'commit']],
  [
    'an admission with a budget',
    [lookUp],
    (store) => admit(store, 'r', { budgets: BUDGET }),
    ['batchGetDocuments 2', 'runQuery', 'commit'],
  ],
  ['a denial', [lookUp], (store) => store.admit(rateLimit(0), [reservation('r')], T0), []],
  ['a checkpoint', [admitOne], (store) => store.checkpoint('r', [openRow('c')]), ['commit']],
  [
    'a settlement',
    [admitOne],
    (store) => store.settle(settlement('r', [callRow('c')])),
    ['batchGetDocuments 2', 'commit'],
  ],
  [
    'a settlement on a grant',
    [(store) => admit(store, 'r', { onGrant: true })],
    (store) => store.settle(settlement(reservation('r', { onGrant: true }), [callRow('c')])),
    ['batchGetDocuments 2', 'commit'],
  ],
  ['a lease of a grant', [], (store) => store.leaseGrant(grantLease('r', 5), 9, T0), [READ, 'commit']],
  ['a use of a key', [], (store) => store.noteKeyUse('hash-of-key-1', T0), [READ, 'commit']],
  [
    'what a deployment with a budget has spent',
    [(store) => store.setServerBudget(5)],
    (store) => store.readServerSpend('2026-03'),
    [READ, 'runAggregationQuery', 'runAggregationQuery'],
  ],
  ['the beginning of a kept run, with the count of its user’s', [], keep, [READ, 'commit', 'runAggregationQuery']],
  ['a write of a kept run', [keep], write, [READ, 'commit']],
  ['events of a kept run', [keep, write], (store) => store.readPart(RUN, 'events', 0), ['runQuery']],
  ['a list of runs', [keep], (store) => store.listRuns('ada', { max: 9 }), ['runQuery']],
  ['a conversation', [keep], (store) => store.listThread('ada', 'r', 9), ['runQuery']],
];

describeWithFirestore('calls of Firestore', (emulator) => {
  it.each(OPERATIONS)('for %s', async (_, before, work, calls) => {
    const clock = fakeClock(T0);
    const store = openFirestoreStore({ projectId: emulator.newProject(), clock });
    await store.insertKey(keyRecord('key-1'));
    for (const step of before) await step(store, clock);
    expect((await callsOf(async () => work(store, clock))).sort()).toEqual([...calls].sort());
    await store.close();
  });
});
