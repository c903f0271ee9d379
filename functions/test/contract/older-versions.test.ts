import { readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import type { Store } from '../../src/store/store';
import { fakeClock } from '../support/fake-clock';
import {
  callRow,
  grantLease,
  keptRun,
  keyRecord,
  openRow,
  rateLimit,
  reservation,
  routerKeyRecord,
  routerModel,
  settlement,
  T0,
} from '../support/store-records';
import { temporaryDirectory } from '../support/temporary-directory';

const MARCH = { userId: 'ada', month: '2026-03' };

describe('a data directory of an older version', () => {
  let directory: string;
  let remove: () => Promise<void>;
  let store: Store;
  const path = () => join(directory, 'ensemble.db');
  /** Opens the data of version 1, of 13 (the last with a table for each kind of thing) or of 14 (with tables of runs alone). */
  const openOver = (version: 1 | 13 | 14) => {
    const raw = new DatabaseSync(path());
    raw.exec(readFileSync(join(__dirname, `data-directory-v${version}.sql`), 'utf8'));
    raw.exec(`PRAGMA user_version = ${version}`);
    raw.close();
    store = openEmbeddedStore({ directory, clock: fakeClock(T0) });
  };
  beforeEach(async () => {
    ({ path: directory, remove } = await temporaryDirectory());
  });
  afterEach(async () => {
    await store.close();
    await remove();
  });

  it('keeps keys, subscriptions, budgets and what was recorded about them', async () => {
    openOver(13);
    const key2 = keyRecord('key-2', { createdAtMs: T0 + 5, lastUsedAtMs: T0 + 7 });
    const ended = { expiresAtMs: T0 + 1_000_000_000, replacedBy: 'key-2' };
    const limits = { models: ['a/*'], requestsPerMinute: 9, budgetNanoUsd: 5_000_000 };
    expect(await store.listKeys('ada')).toEqual([key2, keyRecord('key-1', { ...ended, ...limits })]);
    expect(await store.findKey('key-3')).toEqual(keyRecord('key-3', { userId: 'bob' }));
    expect(await store.listTagKeys()).toEqual(['tag']);
    const said = { status: 'active', sourceUpdatedAtMs: T0, source: 'stripe', renewsAtMs: T0 + 9 };
    const ada = { userId: 'ada', tier: 'pro', ...said, budgetNanoUsd: 70_000_000 };
    expect(await store.readAccess([key2.hash])).toEqual({ key: key2, subscription: ada });
    expect(await store.listSubscriptions({ max: 9 })).toEqual([
      ada,
      { userId: 'bob', tier: 'byok', status: 'trialing', sourceUpdatedAtMs: T0, trialEndsAtMs: T0 + 8 },
    ]);
    const act = { atMs: T0 + 1, actor: 'cli', name: 'keys.create', userId: 'ada', target: 'k', details: { name: 'x' } };
    const acts = ['act-3', 'act-2', 'act-1'].map((actId) => ({ actId, ...act }));
    expect(await store.listActs({ userId: 'ada', sinceMs: 0, max: 9 })).toEqual(acts);
    const terms = { liveMax: 2, nowMs: T0, tagKey: 'tag' };
    expect(await store.insertKey(keyRecord('key-4'), terms)).toBe('inserted');
    expect(await store.insertKey(keyRecord('key-5'), terms)).toBe('full');
  });

  it('keeps the ledger, months, limits and what is set aside', async () => {
    openOver(13);
    const [, r2, , open2] = [0, 1, 2, 3].map((index) => {
      const id = ['r1', 'r2', 'open-1', 'open-2'][index] ?? '';
      return { ...reservation(id, { calls: [openRow('c')] }), state: 'open', ...(index === 1 && { onGrant: true }) };
    });
    expect(await store.findRecord('open-2')).toEqual(open2);
    const closed = { ...r2, state: 'settled', calls: [callRow('c')], settledAtMs: T0 + 5_000 };
    expect(await store.listClosed(0, 9)).toEqual([expect.objectContaining({ requestId: 'r1' }), closed]);
    expect((await store.listExpired(T0 + 10_000_000, 9)).map(({ requestId }) => requestId)).toEqual([
      'open-1',
      'open-2',
    ]);
    const sums = { requests: 2, promptTokens: 30, completionTokens: 60, costNanoUsd: 612 };
    const models = [
      { id: 'model-a', name: 'Model A', requests: 2, promptTokens: 20, completionTokens: 40, costNanoUsd: 600 },
      { id: 'other-model', name: 'Model A', requests: 1, promptTokens: 10, completionTokens: 20, costNanoUsd: 12 },
    ];
    const month = { month: '2026-03', ...sums, models, keys: [{ id: 'key-1', name: 'laptop', ...sums }], days: [] };
    expect(await store.readMonths('ada', ['2026-03'])).toEqual([month]);
    expect(await store.readSpend(MARCH)).toEqual({ userNanoUsd: 2_617, keysNanoUsd: new Map([['key-1', 2_617]]) });
    expect(await store.readServerSpend('2026-03')).toEqual({ budgetNanoUsd: 900_000_000, spentNanoUsd: 2_617 });
    expect(await store.readGrant(MARCH, T0)).toEqual({ usedTokens: 30, leasedTokens: 70 });
    expect(await store.leaseGrant(grantLease('open-2', 0), 100, T0)).toMatchObject({ granted: true, leasedTokens: 0 });
    expect(await store.admit(rateLimit(4), [reservation('next')], T0)).toEqual([{ admitted: false, waitMs: 60_000 }]);
    expect(await store.readAudit(MARCH)).toMatchObject({ untilMs: T0 + 3, sums: { costNanoUsd: 4 } });
    expect(await store.readAuditedUntil()).toBe(T0 + 4);

    expect(await store.settle(settlement('r1', []))).toBe('already');
    await store.checkpoint('open-1', [callRow('d')]);
    expect(await store.settle(settlement('open-1', [callRow('c'), callRow('d')]))).toBe('applied');
    expect(await store.readMonths('ada', ['2026-03'])).toMatchObject([{ requests: 3, costNanoUsd: 1_212 }]);
  });

  it('keeps router keys and models, replies to repeated requests, and runs', async () => {
    openOver(13);
    expect(await store.findRouterKey('ada')).toEqual(routerKeyRecord('one1'));
    expect(await store.listRouterModels('ada')).toEqual([routerModel('x/one'), routerModel('x/two')]);
    const claim = (id: string) => {
      const times = { leaseUntilMs: T0 + 1_000, expiresAtMs: T0 + 9_000 };
      return store.claimKey({ id, fingerprint: 'f', requestId: 'again', ...times }, T0);
    };
    expect(await claim('i1')).toEqual({ granted: false, fingerprint: 'f1', reply: Buffer.from('the sealed reply') });
    expect(await claim('i2')).toEqual({ granted: false, fingerprint: 'f2' });
    const ended = { state: 'complete', eventCount: 2, evaluationCount: 1 } as const;
    const run = keptRun('run-1', { ...ended, expiresAtMs: T0 + 1_000_000_000 });
    expect(await store.listRuns('ada', { max: 9 })).toEqual([run]);
    expect(Buffer.from((await store.readPart(run, 'events', 0))?.bytes ?? []).toString()).toBe('events');
  });

  /** Moments of starts had no column in which they could be found. */
  const knowsOpenRequest = async (): Promise<void> => {
    const log = await store.listRequests('ada', { before: { startedAtMs: T0 + 1, requestId: 'z' }, max: 99 });
    expect(log).toContainEqual(expect.objectContaining({ requestId: 'open-1', startedAtMs: T0, outcome: 'running' }));
  };

  it('keeps what the first version had', async () => {
    openOver(1);
    expect(await store.listKeys('ada')).toEqual([keyRecord('key-1')]);
    const ada = { userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: T0 };
    expect(await store.getSubscription('ada')).toEqual(ada);
    expect(await store.findRecord('open-1')).toEqual({ ...reservation('open-1'), state: 'open' });
    expect(await store.readMonths('ada', ['2026-03'])).toMatchObject([{ requests: 2, keys: [{ costNanoUsd: 612 }] }]);
    expect(await store.listRuns('ada', { max: 9 })).toEqual([]);
    await knowsOpenRequest();
  });

  it('keeps runs that had tables of their own beside documents', async () => {
    openOver(14);
    const run = keptRun('run-1', { state: 'complete', eventCount: 3, evaluationCount: 1, stopRequested: true });
    expect(await store.listRuns('ada', { max: 9 })).toEqual([run]);
    const parts = await Promise.all(
      (['request', 'events', 'events', 'evaluation'] as const).map((kind, at) => {
        return store.readPart(run, kind, kind === 'events' ? at : 0);
      }),
    );
    const texts = parts.map((part) => part && [part.from, part.to, Buffer.from(part.bytes).toString()]);
    const events = [
      [0, 2, 'events'],
      [2, 3, 'more'],
    ];
    expect(texts).toEqual([[0, 1, 'request'], ...events, [0, 1, 'evaluation']]);
    expect(await store.findKey('key-1')).toEqual(keyRecord('key-1'));
    await knowsOpenRequest();
    expect(await store.settle(settlement('open-1', [callRow('c')]))).toBe('applied');
    expect(await store.deleteRuns('ada', 'run-1')).toBe(1);
  });

  it.each([1, 13, 14] as const)('is kept as it was in a copy for its owner alone (version %d)', async (version) => {
    openOver(version);
    const copy = `${path()}.v${version}`;
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
    const raw = new DatabaseSync(copy, { readOnly: true });
    expect(raw.prepare('PRAGMA user_version').get()).toEqual({ user_version: version });
    const table = version === 14 ? 'runs' : 'api_keys';
    expect(raw.prepare(`SELECT count(*) AS rows FROM ${table}`).get()).toEqual({ rows: version === 13 ? 3 : 1 });
    raw.close();
  });
});
