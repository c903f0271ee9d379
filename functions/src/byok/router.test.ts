import { type FakeClock, fakeClock } from '../../test/support/fake-clock';
import { T0 } from '../../test/support/store-records';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { isRefusal } from '../errors';
import { createLog } from '../lib/log';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import { localKeyRing } from '../store/embedded/local-secrets';
import type { Store } from '../store/store';
import {
  addRouterModels,
  parseRouterModels,
  type RouterDeps,
  removeRouterKey,
  removeRouterModel,
  saveRouterKey,
  unlockRouterKey,
} from './router';
import { type KeyRing, parseKeyRing } from './secret-box';

const KEY = 'sk-or-v1-abcdefghijklmnop9876';
const ring = (...kids: string[]): KeyRing =>
  parseKeyRing(kids.map((kid) => `${kid}:${Buffer.alloc(32, kid).toString('base64')}`).join(','));
const EAGLE = {
  id: 'owl/eagle-1',
  name: 'Owl: Eagle 1',
  context_length: 200_000,
  architecture: { input_modalities: ['text', 'image'] },
  supported_parameters: ['tools', 'temperature'],
};
const MOLE = {
  id: 'owl/mole-2:free',
  name: 'Owl: Mole 2 (free)',
  context_length: 32_000,
  architecture: { input_modalities: ['text'] },
  supported_parameters: ['temperature'],
};

describe('bring your own key', () => {
  let clock: FakeClock;
  let directory: { path: string; remove(): Promise<void> };
  let store: Store;
  let lookUps: number;
  let logLines: string[];
  beforeEach(async () => {
    directory = await temporaryDirectory();
    store = openEmbeddedStore({ directory: directory.path });
    await store.putSubscription({ userId: 'uma', tier: 'byok', status: 'active', sourceUpdatedAtMs: T0 });
    clock = fakeClock(T0);
    lookUps = 0;
    logLines = [];
  });
  afterEach(async () => {
    await store.close();
    await directory.remove();
  });

  const deps = (data: readonly unknown[] = [EAGLE, MOLE]): RouterDeps => ({
    store,
    clock,
    keyRing: ring('k1'),
    log: createLog('debug', (line) => logLines.push(line)),
    routerCatalog: {
      models: async () => {
        lookUps += 1;
        return parseRouterModels({ data });
      },
    },
  });
  const add = (...slugs: string[]) => addRouterModels(deps(), { userId: 'uma', slugs });
  const textOf = async (word: Promise<unknown>) => {
    const value = await word;
    return isRefusal(value) ? value.text : value;
  };

  const keyed = (keyRing = ring('k1'), over: Partial<Store> = {}) => ({
    ...deps(),
    keyRing,
    store: { ...store, ...over },
  });
  const save = (key = KEY, userId = 'uma', by = keyed()) => saveRouterKey(by, { userId, key });

  describe('router models', () => {
    it('can be added twice and removed', async () => {
      await add('owl/eagle-1');
      await clock.advance(1_000);
      expect(await add('owl/eagle-1', 'owl/eagle-1')).toHaveLength(1);
      const remove = (userId: string) => removeRouterModel(deps(), { userId, slug: 'owl/eagle-1' });
      expect(await remove('eve')).toBe(false);
      expect(await remove('uma')).toBe(true);
      expect(await remove('uma')).toBe(false);
      const acts = await store.listActs({ sinceMs: 0, userId: 'uma', max: 3 });
      expect(acts.map(({ name, actor, target, details }) => [name, actor, target, details])).toEqual([
        ['router_models.remove', 'user', 'owl/eagle-1', {}],
        ['router_models.add', 'user', null, { slugs: 'owl/eagle-1 owl/eagle-1' }],
        ['router_models.add', 'user', null, { slugs: 'owl/eagle-1' }],
      ]);
    });

    it.each([
      'eagle-1',
      'owl/',
      '/eagle',
      'owl/eagle/1',
      'Owl/eagle',
      'owl/eagle 1',
      'owl/eagle?x=1',
      `o/${'x'.repeat(200)}`,
    ])('are refused by name when they are no slugs: %s', async (slug) => {
      const shown = JSON.stringify(slug.slice(0, 100));
      expect(await textOf(add('owl/eagle-1', slug))).toBe(
        `Invalid model ${shown}: must be a router slug of the form owner/model`,
      );
      expect(lookUps).toBe(0);
    });

    it('are refused by name when the router has none of that slug, and none of the others is added', async () => {
      expect(await textOf(add('owl/eagle-1', 'owl/none'))).toBe('Unknown model "owl/none": the router has none');
      expect(await store.listRouterModels('uma')).toEqual([]);
    });

    it('are at most a hundred', async () => {
      const many = Array.from({ length: 101 }, (_, index) => ({ id: `m/${index}` }));
      const slugs = many.map(({ id }) => id);
      const addOf = (...some: string[]) => addRouterModels(deps(many), { userId: 'uma', slugs: some });
      expect(await textOf(addOf(...slugs))).toBe('Too many router models: at most 100 may be added');
      // So many are not even looked up.
      expect(lookUps).toBe(0);
      expect(await addOf(...slugs.slice(0, 100))).toHaveLength(100);
      expect(await textOf(addOf('m/100'))).toBe('Too many router models: at most 100 may be added');
      expect(await addOf('m/99')).toHaveLength(100);
    });

    it('cannot be added while the router’s list cannot be read, which is told in words of ours', async () => {
      const broken = { models: () => Promise.reject(new Error('upstream words')) };
      const word = await addRouterModels(
        { ...deps(), routerCatalog: broken },
        { userId: 'uma', slugs: ['owl/eagle-1'] },
      );
      expect(word).toEqual({
        refused: true,
        code: 'internal',
        text: "The router's list of models cannot be read just now: try again later",
      });
      expect(logLines.map((line) => JSON.parse(line))).toEqual([
        { severity: 'WARNING', message: 'no list of router models', cause: 'Error: upstream words' },
      ]);
      expect(await store.listRouterModels('uma')).toEqual([]);
    });
  });

  describe('a router key', () => {
    it('is saved, shown as its last four characters, replaced and deleted', async () => {
      expect(await store.findRouterKey('uma')).toBeUndefined();
      expect(await save()).toEqual({ last4: '9876', createdAtMs: T0 });
      expect(await store.findRouterKey('uma')).toMatchObject({ last4: '9876', createdAtMs: T0 });
      await save('another-key-1234');
      expect(await store.findRouterKey('uma')).toMatchObject({ last4: '1234', createdAtMs: T0 });
      expect(await unlockRouterKey(keyed(), 'uma')).toBe('another-key-1234');
      expect([await removeRouterKey(keyed(), 'uma'), await removeRouterKey(keyed(), 'uma')]).toEqual([true, false]);
      expect(await unlockRouterKey(keyed(), 'uma')).toMatchObject({
        refused: true,
        code: 'invalid_request',
        text: 'No router key is saved: save yours before using router models',
      });
    });

    it('is recorded when it is saved and removed, without any of it but the last four', async () => {
      await save();
      await removeRouterKey(keyed(), 'uma');
      await removeRouterKey(keyed(), 'uma');
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
      expect(await save(KEY, 'uma', keyed([]))).toEqual({
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
      expect(await unlockRouterKey(keyed(), 'eve')).toMatchObject({
        code: 'invalid_request',
        text: 'The saved router key can no longer be read: save it again',
      });
      expect(logLines.map((line) => JSON.parse(line))).toEqual([
        { severity: 'ERROR', message: 'router key cannot be opened', userId: 'eve', kid: 'k1' },
      ]);
    });

    it('opens under an older key of the ring and is then sealed under the newest, once', async () => {
      await save();
      expect(await unlockRouterKey(keyed(ring('k2', 'k1')), 'uma')).toBe(KEY);
      const resealed = await store.findRouterKey('uma');
      expect(resealed).toMatchObject({ last4: '9876', createdAtMs: T0, enc: { kid: 'k2' } });
      expect(await unlockRouterKey(keyed(ring('k2')), 'uma')).toBe(KEY);
      expect(await store.findRouterKey('uma')).toEqual(resealed);
    });

    it('is of use also when it cannot be sealed anew just now', async () => {
      await save();
      const down = { resealRouterKey: () => Promise.reject(new Error('the store is down')) };
      expect(await unlockRouterKey(keyed(ring('k2', 'k1'), down), 'uma')).toBe(KEY);
      expect(logLines.map((line) => JSON.parse(line))).toMatchObject([{ message: 'reseal failed', userId: 'uma' }]);
      expect((await store.findRouterKey('uma'))?.enc.kid).toBe('k1');
    });

    it('has a ring of its own beside the embedded store, the same for every process', async () => {
      const made = localKeyRing(directory.path, fakeClock(T0));
      await save(KEY, 'uma', keyed(made));
      expect(await unlockRouterKey(keyed(localKeyRing(directory.path, fakeClock(T0 + 1))), 'uma')).toBe(KEY);
      expect(made[0]?.key).toHaveLength(32);
    });
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
