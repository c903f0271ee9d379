import { fakeClock } from '../../test/support/fake-clock';
import { T0 } from '../../test/support/store-records';
import { temporaryDirectory } from '../../test/support/temporary-directory';
import { isRefusal } from '../errors';
import { createLog } from '../lib/log';
import { openEmbeddedStore } from '../store/embedded/embedded-store';
import type { Store } from '../store/store';
import { addRouterModels, parseRouterModels, type RouterModelDeps, removeRouterModel } from './router-models';

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

describe('router models', () => {
  const clock = fakeClock(T0);
  let directory: { path: string; remove(): Promise<void> };
  let store: Store;
  let lookUps: number;
  let logLines: string[];
  beforeEach(async () => {
    directory = await temporaryDirectory();
    store = openEmbeddedStore({ directory: directory.path });
    await store.putSubscription({ userId: 'uma', tier: 'byok', status: 'active', sourceUpdatedAtMs: T0 });
    lookUps = 0;
    logLines = [];
  });
  afterEach(async () => {
    await store.close();
    await directory.remove();
  });

  const deps = (data: readonly unknown[] = [EAGLE, MOLE]): RouterModelDeps => ({
    store,
    clock,
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
    const word = await addRouterModels({ ...deps(), routerCatalog: broken }, { userId: 'uma', slugs: ['owl/eagle-1'] });
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
