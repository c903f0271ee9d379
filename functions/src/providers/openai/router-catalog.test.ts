import { type FakeClock, fakeClock } from '../../../test/support/fake-clock';
import { type FakeUpstream, sendStatus, startFakeUpstream, underControl } from '../../../test/support/fake-upstream';
import { ROUTER_LIST, sendRouterList } from '../../../test/support/playground';
import type { RouterCatalog } from '../../byok/router';
import { createRouterCatalog } from './router-catalog';

const SLUGS = ['owl/eagle-1', 'owl/mole-2:free'];

describe('the list of the router', () => {
  let router: FakeUpstream;
  let clock: FakeClock;
  let catalog: RouterCatalog;
  beforeEach(async () => {
    router = await startFakeUpstream();
    clock = fakeClock();
    catalog = createRouterCatalog(`${router.url}/api/v1`, clock);
  });
  afterEach(() => router.close());

  const slugs = async (): Promise<string[]> => [...(await catalog.models()).keys()];

  it('is asked for without any key', async () => {
    router.willReply(sendRouterList);
    expect(await slugs()).toEqual(SLUGS);
    expect(router.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/v1/models']);
    expect(router.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('comes from one request for all who ask within ten minutes', async () => {
    const controlled = underControl();
    router.willReply(controlled.reply, sendRouterList);
    const both = [slugs(), slugs()];
    const exchange = await controlled.exchange;
    exchange.begin(200, { 'content-type': 'application/json' });
    exchange.end(JSON.stringify(ROUTER_LIST));
    expect(await Promise.all(both)).toEqual([SLUGS, SLUGS]);
    await clock.advance(599_999);
    await slugs();
    expect(router.requests).toHaveLength(1);
    await clock.advance(1);
    await slugs();
    expect(router.requests).toHaveLength(2);
  });

  it('is the last one while the router cannot be asked', async () => {
    router.willReply(sendRouterList, sendStatus(503, 'down'));
    await slugs();
    await clock.advance(600_000);
    expect(await slugs()).toEqual(SLUGS);
    expect(router.requests).toHaveLength(2);
  });

  it.each([
    ['fails', sendStatus(500, 'secret upstream words')],
    ['fails with a list all the same', sendStatus(500, ROUTER_LIST)],
    ['sends no JSON', sendStatus(200, 'secret upstream words')],
    ['sends no list', sendStatus(200, { models: [] })],
    ['redirects', sendStatus(302, ROUTER_LIST, { location: 'http://127.0.0.1:9/stolen' })],
    ['sends more than 4 MiB', sendStatus(200, `{"data":["${'x'.repeat(4 * 1024 * 1024)}"]}`)],
  ])('is none when the router %s, without its words, and is asked for anew the next time', async (_, reply) => {
    router.willReply(reply, sendRouterList);
    const error = await slugs().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).not.toContain('secret upstream words');
    expect(await slugs()).toEqual(SLUGS);
  });

  it('is not waited for longer than ten seconds', async () => {
    const silent = underControl();
    router.willReply(silent.reply);
    const list = slugs();
    list.catch(() => undefined);
    const exchange = await silent.exchange;
    await clock.advance(10_000);
    await expect(list).rejects.toMatchObject({ name: 'ModelFault' });
    await exchange.disconnected;
  });
});
