import { during } from '../../test/support/during';
import { fakeClock } from '../../test/support/fake-clock';
import { T0 } from '../../test/support/store-records';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { isRefusal } from '../errors';
import { createLog } from '../lib/log';
import { modelsIn } from '../providers/openai/server-models';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import type { Store } from '../store/store';
import { addRouterModels, type RouterKeyVerdict, saveRouterKey, unlockRouterKey } from './router';
import { type KeyRing, parseKeyRing } from './secret-box';

const KEY = 'sk-or-v1-abcdefghijklmnop9876';
const ring = (...kids: string[]): KeyRing =>
  parseKeyRing(kids.map((kid) => `${kid}:${Buffer.alloc(32, kid).toString('base64')}`).join(','));

describe('bring your own key', () => {
  const clock = fakeClock(T0);
  const directory = during('each', temporaryDirectory);
  let store: Store;
  const lines: string[] = [];
  let verdict: RouterKeyVerdict;
  beforeEach(async () => {
    store = openEmbeddedStore({ directory: directory.path });
    await store.putSubscription({ userId: 'uma', tier: 'byok', status: 'active', sourceUpdatedAtMs: T0 });
    lines.length = 0;
    verdict = {};
  });
  afterEach(async () => {
    await store.close();
  });

  const deps = (keyRing = ring('k1'), over: Partial<Store> = {}) => ({
    store: { ...store, ...over },
    clock,
    keyRing,
    checkRouterKey: async () => verdict,
    log: createLog('debug', (line) => lines.push(line)),
  });
  const save = (key = KEY) => saveRouterKey(deps(), { userId: 'uma', key });
  const add = async (slugs: string[], data: readonly unknown[] = [{ id: 'owl/eagle-1' }]) => {
    const routerCatalog = async () => ({ value: modelsIn({ data }) ?? [] });
    const added = await addRouterModels({ ...deps(), routerCatalog }, { userId: 'uma', slugs });
    return isRefusal(added) ? added.text : added.length;
  };

  it.each([
    'eagle-1',
    'owl/',
    '/eagle',
    'owl/eagle/1',
    'Owl/eagle',
    'owl/eagle 1',
    'owl/eagle?x=1',
    `o/${'x'.repeat(200)}`,
  ])('models are refused by name when they are no slugs: %s', async (slug) => {
    const shown = JSON.stringify(slug.slice(0, 100));
    expect(await add(['owl/eagle-1', slug])).toBe(
      `Invalid model ${shown}: must be a router slug of the form owner/model`,
    );
  });

  it('models are a hundred at most, one added twice among them, and all or none is added', async () => {
    const many = Array.from({ length: 101 }, (_, index) => ({ id: `m/${index}` }));
    const slugs = many.map(({ id }) => id);
    const tooMany = 'Too many router models: at most 100 may be added';
    expect(await add(slugs, many)).toBe(tooMany);
    expect(await add(slugs.slice(0, 100), many)).toBe(100);
    expect(await add(['m/100'], many)).toBe(tooMany);
    expect(await add(['m/99'], many)).toBe(100);
  });

  it('a model that the router’s list lacks is added as it stands, with nothing known of it', async () => {
    expect(await add(['owl/eagle-1', 'owl/none'])).toBe(2);
    const unknown = { contextTokens: null, vision: 'unknown', tools: 'unknown', addedAtMs: T0 };
    expect(await store.listRouterModels('uma')).toEqual([
      { slug: 'owl/eagle-1', name: 'owl/eagle-1', ...unknown },
      { slug: 'owl/none', name: 'owl/none', ...unknown },
    ]);
  });

  it('models cannot be added while the router’s list cannot be read, which is told in words of ours', async () => {
    const routerCatalog = async () => ({ error: new Error('upstream words') });
    const adding = addRouterModels({ ...deps(), routerCatalog }, { userId: 'uma', slugs: ['owl/eagle-1'] });
    const text = "The router's list of models cannot be read just now: try again later";
    expect(await adding).toMatchObject({ code: 'internal', text });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { severity: 'WARNING', message: 'no list of router models', cause: 'Error: upstream words' },
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
  ])('a key of %s is refused without being repeated', async (_, key) => {
    expect(await save(key)).toMatchObject({
      code: 'invalid_request',
      text: 'Invalid key: must have 8 to 512 printable characters without spaces',
    });
    expect(await store.findRouterKey('uma')).toBeUndefined();
  });

  it('a key that the router refuses is not saved, and the one before stays', async () => {
    await save();
    verdict = { refused: 'User not found' };
    expect(await save('sk-or-v1-typo-typo-typo')).toMatchObject({
      code: 'invalid_request',
      text: 'Invalid key: the router refuses it: “User not found”',
    });
    expect(await store.findRouterKey('uma')).toMatchObject({ last4: '9876' });
  });

  it('a key that the router could not be asked about is saved, and that is told', async () => {
    verdict = { unchecked: 'it cannot be reached' };
    expect(await save()).toEqual({ last4: '9876', createdAtMs: T0, unchecked: 'it cannot be reached' });
    expect(await store.findRouterKey('uma')).toMatchObject({ last4: '9876' });
  });

  it('a key is refused in clear words where there is nothing to seal it with', async () => {
    const text = 'Router keys cannot be saved here: ROUTER_KEY_SECRET is not set';
    const refusal = { code: 'internal', text };
    expect(await saveRouterKey(deps([]), { userId: 'uma', key: KEY })).toMatchObject(refusal);
    expect(await store.findRouterKey('uma')).toBeUndefined();
  });

  it('a key opens for nobody else, even when the row is copied', async () => {
    await save();
    const record = await store.findRouterKey('uma');
    if (!record) throw new Error('nothing was saved');
    await store.putRouterKey({ ...record, userId: 'eve' });
    expect(await unlockRouterKey(deps(), 'eve')).toMatchObject({
      code: 'invalid_request',
      text: 'The saved router key can no longer be read: save it again',
    });
    expect(lines.join()).toContain('router key cannot be opened');
  });

  it('a key opens under an older key of the ring, and is sealed under the newest as soon as that can be stored', async () => {
    await save();
    const down = { resealRouterKey: () => Promise.reject(new Error('the store is down')) };
    expect(await unlockRouterKey(deps(ring('k2', 'k1'), down), 'uma')).toBe(KEY);
    expect((await store.findRouterKey('uma'))?.enc.kid).toBe('k1');
    expect(await unlockRouterKey(deps(ring('k2', 'k1')), 'uma')).toBe(KEY);
    expect(await store.findRouterKey('uma')).toMatchObject({ last4: '9876', createdAtMs: T0, enc: { kid: 'k2' } });
    expect(await unlockRouterKey(deps(ring('k2')), 'uma')).toBe(KEY);
  });
});
