import { type FakeClock, fakeClock } from '../../test/support/fake-clock';
import { T0 } from '../../test/support/store-records';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { createLog } from '../lib/log';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import { localKeyRing } from '../store/embedded/local-secrets';
import type { Store } from '../store/store';
import { type RouterKeyDeps, removeRouterKey, saveRouterKey, showRouterKey, unlockRouterKey } from './router-keys';
import { type KeyRing, parseKeyRing } from './secret-box';

const KEY = 'sk-or-v1-abcdefghijklmnop9876';
const ring = (...kids: string[]): KeyRing =>
  parseKeyRing(kids.map((kid) => `${kid}:${Buffer.alloc(32, kid).toString('base64')}`).join(','));

describe('a router key', () => {
  let directory: { path: string; remove(): Promise<void> };
  let store: Store;
  let logLines: string[];
  let clock: FakeClock;
  beforeEach(async () => {
    directory = await temporaryDirectory();
    store = openEmbeddedStore({ directory: directory.path });
    logLines = [];
    clock = fakeClock(T0);
    await store.putSubscription({ userId: 'uma', tier: 'byok', status: 'active', sourceUpdatedAtMs: T0 });
  });
  afterEach(async () => {
    await store.close();
    await directory.remove();
  });

  const deps = (keyRing = ring('k1'), over: Partial<Store> = {}): RouterKeyDeps => ({
    store: { ...store, ...over },
    clock,
    keyRing,
    log: createLog('debug', (line) => logLines.push(line)),
  });
  const save = (key = KEY, userId = 'uma', by = deps()) => saveRouterKey(by, { userId, key });

  it('is saved, shown as its last four characters, replaced and deleted', async () => {
    expect(await showRouterKey(deps().store, 'uma')).toBeUndefined();
    expect(await save()).toEqual({ last4: '9876', createdAtMs: T0 });
    expect(await showRouterKey(deps().store, 'uma')).toEqual({ last4: '9876', createdAtMs: T0 });
    await save('another-key-1234');
    expect(await showRouterKey(deps().store, 'uma')).toEqual({ last4: '1234', createdAtMs: T0 });
    expect(await unlockRouterKey(deps(), 'uma')).toBe('another-key-1234');
    expect([await removeRouterKey(deps(), 'uma'), await removeRouterKey(deps(), 'uma')]).toEqual([true, false]);
    expect(await unlockRouterKey(deps(), 'uma')).toMatchObject({
      refused: true,
      code: 'invalid_request',
      text: 'No router key is saved: save yours before using router models',
    });
  });

  it('is recorded when it is saved and removed, without any of it but the last four', async () => {
    await save();
    await removeRouterKey(deps(), 'uma');
    await removeRouterKey(deps(), 'uma');
    const acts = await store.listActs({ sinceMs: 0, max: 9 });
    expect(acts.map(({ name, actor, userId, details }) => ({ name, actor, userId, details }))).toEqual([
      { name: 'router_key.remove', actor: 'user', userId: 'uma', details: {} },
      { name: 'router_key.save', actor: 'user', userId: 'uma', details: { last4: '9876' } },
    ]);
  });

  it.each([
    ['seven characters', 'abcdefg'],
    ['513 characters', 'k'.repeat(513)],
    ['a space inside', 'sk-or-v1 abcdefgh'],
    ['a line break inside', 'sk-or-v1-abc\nx-evil: 1'],
    ['a letter beyond ASCII', 'sk-or-v1-abcdéfgh'],
    ['a control character', 'sk-or-v1-abc\u0000defgh'],
    ['nothing', ''],
  ])('of %s is refused without being repeated', async (_, key) => {
    const word = await save(key);
    expect(word).toEqual({
      refused: true,
      code: 'invalid_request',
      text: 'Invalid key: must have 8 to 512 printable characters without spaces',
    });
    expect(await store.findRouterKey('uma')).toBeUndefined();
  });

  it('is refused in clear words where there is nothing to seal it with', async () => {
    expect(await save(KEY, 'uma', deps([]))).toEqual({
      refused: true,
      code: 'internal',
      text: 'Router keys cannot be saved here: ROUTER_KEY_SECRET is not set',
    });
    expect(await store.findRouterKey('uma')).toBeUndefined();
  });

  it('opens for nobody else, even when the row is copied', async () => {
    await save();
    const record = await store.findRouterKey('uma');
    if (!record) throw new Error('nothing was saved');
    await store.putRouterKey({ ...record, userId: 'eve' });
    expect(await unlockRouterKey(deps(), 'eve')).toMatchObject({
      code: 'invalid_request',
      text: 'The saved router key can no longer be read: save it again',
    });
    expect(logLines.map((line) => JSON.parse(line))).toEqual([
      { severity: 'ERROR', message: 'router key cannot be opened', userId: 'eve', kid: 'k1' },
    ]);
  });

  it('opens under an older key of the ring and is then sealed under the newest, once', async () => {
    await save();
    expect(await unlockRouterKey(deps(ring('k2', 'k1')), 'uma')).toBe(KEY);
    const resealed = await store.findRouterKey('uma');
    expect(resealed).toMatchObject({ last4: '9876', createdAtMs: T0, enc: { kid: 'k2' } });
    expect(await unlockRouterKey(deps(ring('k2')), 'uma')).toBe(KEY);
    expect(await store.findRouterKey('uma')).toEqual(resealed);
  });

  it('is of use also when it cannot be sealed anew just now', async () => {
    await save();
    const down = { resealRouterKey: () => Promise.reject(new Error('the store is down')) };
    expect(await unlockRouterKey(deps(ring('k2', 'k1'), down), 'uma')).toBe(KEY);
    expect(logLines.map((line) => JSON.parse(line))).toMatchObject([{ message: 'reseal failed', userId: 'uma' }]);
    expect((await store.findRouterKey('uma'))?.enc.kid).toBe('k1');
  });

  it('has a ring of its own beside the embedded store, the same for every process', async () => {
    const made = localKeyRing(directory.path, fakeClock(T0));
    await save(KEY, 'uma', deps(made));
    expect(await unlockRouterKey(deps(localKeyRing(directory.path, fakeClock(T0 + 1))), 'uma')).toBe(KEY);
    expect(made[0]?.key).toHaveLength(32);
  });
});
