import { fakeClock } from '../../test/support/fake-clock';
import { T0 } from '../../test/support/store-records';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { isRefusal } from '../errors';
import { createLog } from '../lib/log';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import type { Store } from '../store/store';
import { addRouterModels, parseRouterModels, saveRouterKey, unlockRouterKey } from './router';
import { type KeyRing, parseKeyRing } from './secret-box';

const KEY = 'sk-or-v1-abcdefghijklmnop9876';
const ring = (...kids: string[]): KeyRing =>
  parseKeyRing(kids.map((kid) => `${kid}:${Buffer.alloc(32, kid).toString('base64')}`).join(','));

describe('bring your own key', () => {
  const clock = fakeClock(T0);
  let directory: { path: string; remove(): Promise<void> };
  let store: Store;
  const lines: string[] = [];
  beforeEach(async () => {
    directory = await temporaryDirectory();
    store = openEmbeddedStore({ directory: directory.path });
    await store.putSubscription({ userId: 'uma', tier: 'byok', status: 'active', sourceUpdatedAtMs: T0 });
    lines.length = 0;
  });
  afterEach(async () => {
    await store.close();
    await directory.remove();
  });

  const deps = (keyRing = ring('k1'), over: Partial<Store> = {}) => ({
    store: { ...store, ...over },
    clock,
    keyRing,
    log: createLog('debug', (line) => lines.push(line)),
  });
  const save = (key = KEY) => saveRouterKey(deps(), { userId: 'uma', key });
  const add = async (slugs: string[], data: readonly unknown[] = [{ id: 'owl/eagle-1' }]) => {
    const routerCatalog = { models: async () => parseRouterModels({ data }) };
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

  it('models are a hundred at most, one added twice among them, and all the router’s own or none is added', async () => {
    expect(await add(['owl/eagle-1', 'owl/none'])).toBe('Unknown model "owl/none": the router has none');
    expect(await store.listRouterModels('uma')).toEqual([]);
    const many = Array.from({ length: 101 }, (_, index) => ({ id: `m/${index}` }));
    const slugs = many.map(({ id }) => id);
    const tooMany = 'Too many router models: at most 100 may be added';
    expect(await add(slugs, many)).toBe(tooMany);
    expect(await add(slugs.slice(0, 100), many)).toBe(100);
    expect(await add(['m/100'], many)).toBe(tooMany);
    expect(await add(['m/99'], many)).toBe(100);
  });

  it('models cannot be added while the router’s list cannot be read, which is told in words of ours', async () => {
    const routerCatalog = { models: () => Promise.reject(new Error('upstream words')) };
    const adding = addRouterModels({ ...deps(), routerCatalog }, { userId: 'uma', slugs: ['owl/eagle-1'] });
    const text = "The router's list of models cannot be read just now: try again later";
    expect(await adding).toEqual({ refused: true, code: 'internal', text });
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
    expect(await save(key)).toEqual({
      refused: true,
      code: 'invalid_request',
      text: 'Invalid key: must have 8 to 512 printable characters without spaces',
    });
    expect(await store.findRouterKey('uma')).toBeUndefined();
  });

  it('a key is refused in clear words where there is nothing to seal it with', async () => {
    const text = 'Router keys cannot be saved here: ROUTER_KEY_SECRET is not set';
    const refusal = { refused: true, code: 'internal', text };
    expect(await saveRouterKey(deps([]), { userId: 'uma', key: KEY })).toEqual(refusal);
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

describe('the router’s list of models', () => {
  const flags = { contextTokens: null, vision: false, tools: false };

  it('is read leniently: what does not fit is left out, unknown flags are off', () => {
    const data = [
      null,
      'text',
      { name: 'no id' },
      { id: 'Not A/Slug' },
      { id: 'o/tail/x' },
      { id: '__proto__' },
      { id: `o/${'x'.repeat(199)}` },
      { id: 'o/plain' },
      {
        id: 'o/odd',
        name: ' two\n \tlines\u202e ',
        context_length: -1,
        architecture: { input_modalities: 'image' },
        supported_parameters: { tools: true },
      },
      { id: 'o/nameless', name: 7, architecture: null },
      { id: 'o/blank', name: ' \n\u202e' },
    ];
    expect([...parseRouterModels({ data }).values()]).toEqual([
      { slug: 'o/plain', name: 'o/plain', ...flags },
      { slug: 'o/odd', name: 'two lines', ...flags },
      { slug: 'o/nameless', name: 'o/nameless', ...flags },
      { slug: 'o/blank', name: 'o/blank', ...flags },
    ]);
  });

  it('has names of 200 characters at most, which end with a whole one', () => {
    const nameOf = (name: string) => parseRouterModels({ data: [{ id: 'o/m', name }] }).get('o/m')?.name;
    expect(nameOf('x'.repeat(300))).toBe('x'.repeat(200));
    expect(nameOf(`${'x'.repeat(199)}🍅`)).toBe(`${'x'.repeat(199)}\ufffd`);
  });

  it.each([undefined, null, {}, { data: {} }, { models: [] }, []])('is none: %j', (body) => {
    expect(() => parseRouterModels(body)).toThrow();
  });
});
