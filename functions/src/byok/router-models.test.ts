import { type App, startApp } from '../../test/support/app';
import { type FakeClock, fakeClock } from '../../test/support/fake-clock';
import { type FakeUpstream, sendStatus, startFakeUpstream, underControl } from '../../test/support/fake-upstream';
import { ROUTER_LIST, sendRouterList, UMA } from '../../test/support/playground';
import { isRefusal } from '../errors';
import { addRouterModels, removeRouterModel } from './router-models';

describe('router models', () => {
  let router: FakeUpstream;
  let clock: FakeClock;
  let app: App;
  beforeEach(async () => {
    router = await startFakeUpstream();
    clock = fakeClock();
    app = await startApp({ clock, env: { ROUTER_BASE_URL: `${router.url}/api/v1` } });
    await app.user(UMA, 'byok');
  });
  afterEach(async () => {
    await app.close();
    await router.close();
  });

  const add = (...slugs: string[]) => addRouterModels(app.container.account, { userId: UMA, slugs });
  const textOf = async (word: Promise<unknown>) => {
    const value = await word;
    return isRefusal(value) ? value.text : value;
  };

  it('are added with the name, the window and the flags of the router’s list', async () => {
    router.willReply(sendRouterList);
    expect(await add('owl/mole-2:free', 'owl/eagle-1')).toEqual([
      {
        slug: 'owl/eagle-1',
        name: 'Owl: Eagle 1',
        contextTokens: 200_000,
        vision: true,
        tools: true,
        addedAtMs: clock.nowMs(),
      },
      {
        slug: 'owl/mole-2:free',
        name: 'Owl: Mole 2 (free)',
        contextTokens: 32_000,
        vision: false,
        tools: false,
        addedAtMs: clock.nowMs(),
      },
    ]);
    expect(router.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/v1/models']);
    expect(router.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('can be added twice and removed', async () => {
    router.willReply(sendRouterList);
    await add('owl/eagle-1');
    await clock.advance(1_000);
    expect(await add('owl/eagle-1', 'owl/eagle-1')).toHaveLength(1);
    const { account } = app.container;
    const remove = (userId: string) => removeRouterModel(account, { userId, slug: 'owl/eagle-1' });
    expect(await remove('eve')).toBe(false);
    expect(await remove(UMA)).toBe(true);
    expect(await remove(UMA)).toBe(false);
    const acts = await account.store.listActs({ sinceMs: 0, userId: UMA, max: 3 });
    expect(acts.map(({ name, target, details }) => [name, target, details])).toEqual([
      ['router_models.remove', 'owl/eagle-1', {}],
      ['router_models.add', null, { slugs: 'owl/eagle-1 owl/eagle-1' }],
      ['router_models.add', null, { slugs: 'owl/eagle-1' }],
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
    expect(router.requests).toEqual([]);
  });

  it('are refused by name when the router has none of that slug, and none of the others is added', async () => {
    router.willReply(sendRouterList);
    expect(await textOf(add('owl/eagle-1', 'owl/none'))).toBe('Unknown model "owl/none": the router has none');
    expect(await app.container.store.listRouterModels(UMA)).toEqual([]);
  });

  it('are at most a hundred', async () => {
    const many = Array.from({ length: 101 }, (_, index) => ({ id: `m/${index}` }));
    router.willReply(sendStatus(200, { data: many }));
    const slugs = many.map(({ id }) => id);
    expect(await textOf(add(...slugs))).toBe('Too many router models: at most 100 may be added');
    expect(await add(...slugs.slice(0, 100))).toHaveLength(100);
    expect(await textOf(add('m/100'))).toBe('Too many router models: at most 100 may be added');
    expect(await add('m/99')).toHaveLength(100);
  });

  it('are only for those whose plan has them', async () => {
    expect(await addRouterModels(app.container.account, { userId: 'nobody', slugs: ['owl/eagle-1'] })).toMatchObject({
      code: 'no_subscription',
    });
  });

  it('come from one request for all who ask within ten minutes', async () => {
    const controlled = underControl();
    router.willReply(controlled.reply, sendRouterList);
    const both = [add('owl/eagle-1'), add('owl/mole-2:free')];
    const exchange = await controlled.exchange;
    exchange.begin(200, { 'content-type': 'application/json' });
    exchange.end(JSON.stringify(ROUTER_LIST));
    await Promise.all(both);
    await clock.advance(599_999);
    await add('owl/eagle-1');
    expect(router.requests).toHaveLength(1);
    await clock.advance(1);
    await add('owl/eagle-1');
    expect(router.requests).toHaveLength(2);
  });

  it('come from the last list while the router cannot be asked', async () => {
    router.willReply(sendRouterList, sendStatus(503, 'down'));
    await add('owl/eagle-1');
    await clock.advance(600_000);
    expect(await add('owl/mole-2:free')).toHaveLength(2);
    expect(router.requests).toHaveLength(2);
  });

  it.each([
    ['fails', sendStatus(500, 'secret upstream words')],
    ['fails with a list all the same', sendStatus(500, ROUTER_LIST)],
    ['sends no JSON', sendStatus(200, 'secret upstream words')],
    ['sends no list', sendStatus(200, { models: [] })],
    ['redirects', sendStatus(302, ROUTER_LIST, { location: 'http://127.0.0.1:9/stolen' })],
    ['sends more than 4 MiB', sendStatus(200, `{"data":["${'x'.repeat(4 * 1024 * 1024)}"]}`)],
  ])('are refused when the router %s, in words of ours, and asked for anew the next time', async (_, reply) => {
    router.willReply(reply, sendRouterList);
    expect(await textOf(add('owl/eagle-1'))).toBe(
      "The router's list of models cannot be read just now: try again later",
    );
    expect(app.logLines.join('\n')).toContain('no list of router models');
    expect(app.logLines.join('\n')).not.toContain('secret upstream words');
    expect(await add('owl/eagle-1')).toHaveLength(1);
  });

  it('are not waited for longer than ten seconds', async () => {
    const silent = underControl();
    router.willReply(silent.reply);
    const word = textOf(add('owl/eagle-1'));
    const exchange = await silent.exchange;
    await clock.advance(10_000);
    expect(await word).toContain('cannot be read just now');
    await exchange.disconnected;
  });

  it('are read leniently: what does not fit is left out, unknown flags are off', async () => {
    router.willReply(
      sendStatus(200, {
        data: [
          null,
          'text',
          { name: 'no id' },
          { id: 'Not A/Slug' },
          { id: '__proto__' },
          { id: 'o/plain' },
          {
            id: 'o/odd',
            name: ' two\nlines\u202e ',
            context_length: -1,
            architecture: { input_modalities: 'image' },
            supported_parameters: { tools: true },
          },
          { id: 'o/nameless', name: 7, architecture: null },
        ],
      }),
    );
    const models = await add('o/plain', 'o/odd', 'o/nameless');
    const flags = { contextTokens: null, vision: false, tools: false, addedAtMs: clock.nowMs() };
    expect(models).toEqual([
      { slug: 'o/nameless', name: 'o/nameless', ...flags },
      { slug: 'o/odd', name: 'two lines', ...flags },
      { slug: 'o/plain', name: 'o/plain', ...flags },
    ]);
  });
});
