import type { Act } from '../../src/access/act';
import type { Store } from '../../src/store/store';
import { adasKey, keyRecord, routerKeyRecord, routerModel, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

/** An act on Ada's account. */
function act(actId: string, change: Partial<Act> = {}): Act {
  return {
    actId,
    atMs: T0,
    actor: 'cli',
    name: 'keys.revoke',
    userId: 'ada',
    target: 'k',
    details: { name: 'laptop “2”', budgetNanoUsd: 5, expiresAt: null },
    ...change,
  };
}

const SUBSCRIPTION = { userId: 'ada', tier: 'pro', status: 'active', sourceUpdatedAtMs: T0 };
const TERMS = { liveMax: 3, nowMs: T0, tagKey: 't' };

/** Everything that records an act: how it is done, and how the same is refused. */
const DEEDS: readonly [
  deed: string,
  done: (store: Store, act: Act) => unknown,
  refused: (store: Store, act: Act) => unknown,
][] = [
  [
    'making a key',
    (store, record) => store.insertKey(keyRecord('new'), { ...TERMS, act: record }),
    (store, record) => store.insertKey(keyRecord('new'), { ...TERMS, liveMax: 0, act: record }),
  ],
  [
    'replacing a key',
    (store, record) =>
      store.insertKey(keyRecord('new'), { ...TERMS, replaces: { keyId: 'k', endsAtMs: T0 }, act: record }),
    (store, record) =>
      store.insertKey(keyRecord('new'), { ...TERMS, replaces: { keyId: 'x', endsAtMs: T0 }, act: record }),
  ],
  [
    'making a key under an id that exists',
    () => undefined,
    (store, record) => store.insertKey(keyRecord('k'), { ...TERMS, act: record }).catch(() => {}),
  ],
  [
    'revoking a key',
    (store, record) => store.updateKey(adasKey('k'), { status: 'revoked' }, record),
    (store, record) => store.updateKey({ userId: 'bob', keyId: 'k' }, { status: 'revoked' }, record),
  ],
  [
    'setting a subscription',
    (store, record) => store.putSubscription(SUBSCRIPTION, record),
    (store, record) => store.putSubscription({ ...SUBSCRIPTION, sourceUpdatedAtMs: T0 - 2 }, record),
  ],
  [
    "setting a user's budget",
    async (store, record) => {
      await store.putSubscription(SUBSCRIPTION);
      await store.setUserBudget('ada', 5, record);
    },
    (store, record) => store.setUserBudget('nobody', 5, record),
  ],
  ['setting the budget of the deployment', (store, record) => store.setServerBudget(5, record), () => undefined],
  ['saving a router key', (store, record) => store.putRouterKey(routerKeyRecord('one2'), record), () => undefined],
  [
    'removing a router key',
    (store, record) => store.deleteRouterKey('ada', record),
    (store, record) => store.deleteRouterKey('bob', record),
  ],
  [
    'adding router models',
    (store, record) => store.addRouterModels('ada', [routerModel('b/b')], { max: 9, act: record }),
    (store, record) => store.addRouterModels('ada', [routerModel('b/b')], { max: 0, act: record }),
  ],
  [
    'removing a router model',
    (store, record) => store.removeRouterModel('ada', 'a/a', record),
    (store, record) => store.removeRouterModel('bob', 'a/a', record),
  ],
];

/** `ActStore`, and the acts that the other ports record. */
export function actContract(current: CurrentStore): void {
  const all = () => current().listActs({ sinceMs: 0, max: 100 });
  const record = async (...acts: readonly Act[]) => {
    await current().insertKey(keyRecord('k'));
    for (const one of acts) await current().updateKey(adasKey('k'), { expiresAtMs: T0 }, one);
  };

  it.each(DEEDS)('records %s as it was given, and nothing where it was refused', async (deed, done, refused) => {
    const store = current();
    await store.insertKey(keyRecord('k'));
    await store.putRouterKey(routerKeyRecord('one1'));
    await store.addRouterModels('ada', [routerModel('a/a')], { max: 9 });
    await store.putSubscription({ ...SUBSCRIPTION, sourceUpdatedAtMs: T0 - 1 });
    await refused(store, act('refused'));
    expect(await all()).toEqual([]);
    await done(store, act('done'));
    expect(await all()).toEqual(deed.endsWith('that exists') ? [] : [act('done')]);
  });

  it('lists the newest first, of one user or of all, from a moment on, up to a number', async () => {
    await record(
      act('old', { atMs: T0 - 1 }),
      act('first'),
      act('bobs', { atMs: T0 + 1, userId: 'bob', target: null, details: {} }),
      act('last', { atMs: T0 + 2 }),
    );
    const ids = async (query: Parameters<Store['listActs']>[0]) =>
      (await current().listActs(query)).map(({ actId }) => actId);
    expect(await ids({ sinceMs: 0, max: 100 })).toEqual(['last', 'bobs', 'first', 'old']);
    expect(await ids({ sinceMs: T0, max: 100 })).toEqual(['last', 'bobs', 'first']);
    expect(await ids({ sinceMs: T0, max: 2 })).toEqual(['last', 'bobs']);
    expect(await ids({ userId: 'ada', sinceMs: T0, max: 100 })).toEqual(['last', 'first']);
    expect(await ids({ userId: 'nobody', sinceMs: 0, max: 100 })).toEqual([]);
    expect((await current().listActs({ userId: 'bob', sinceMs: 0, max: 1 }))[0]).toMatchObject({
      target: null,
      details: {},
    });
  });
}
