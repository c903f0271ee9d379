import type { Store } from '../../src/store/store';
import { errorBody } from '../support/api-errors';
import { type App, CHAT_PATH, startApp } from '../support/app';
import { PLAIN } from '../support/scripted-models';

/** Routes without a key: the address of the API, and the health of the server. */

const UNREADABLE = errorBody('The store cannot be read', 'api_error');
const LATE = errorBody('Requests stay unsettled for more than an hour', 'api_error');
const HOUR_MS = 3_600_000;

describe('GET /', () => {
  it('names the base URL of the API, and every address it names answers', async () => {
    const app = await startApp();
    const home = await fetch(app.baseUrl);
    const body = (await home.json()) as Record<string, string>;
    expect([home.status, body]).toEqual([
      200,
      {
        ...{ name: 'Ensemble API', base_url: '/v1', openai_base_url: '/openai/v1', anthropic_base_url: '/anthropic' },
        ...{ mcp: '/mcp', health: '/health', docs: '/docs', openapi: '/v1/openapi.json' },
      },
    ]);
    const lists = [
      `${body['base_url']}/models`,
      `${body['openai_base_url']}/models`,
      `${body['anthropic_base_url']}/v1/models`,
    ];
    for (const list of lists) expect((await app.get(list)).status).toBe(200);
    expect((await app.post(`${body['mcp']}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(200);
    expect((await fetch(`${app.baseUrl}${body['health']}`)).status).toBe(200);
    for (const name of ['docs', 'openapi']) expect((await fetch(`${app.baseUrl}${body[name]}`)).status).toBe(200);
    await app.close();
  });
});

describe('GET /health', () => {
  let app: App;
  afterEach(() => app.close());

  const ask = async (query = '', path = '/health'): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${app.baseUrl}${path}${query}`);
    return { status: response.status, body: await response.json() };
  };

  it('is 200 without a key while the store can be read, deep or not, at /healthz too; HEAD is its status alone', async () => {
    app = await startApp();
    expect(await ask()).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await ask('?deep=1')).toEqual({ status: 200, body: { status: 'ok' } });
    expect(await ask('?deep=1', '/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
    const head = await fetch(`${app.baseUrl}/health`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  it('is 503 while the store cannot be read, 200 again afterwards, and tells nothing of the fault', async () => {
    let broken = true;
    let reads = 0;
    const wrapStore = (store: Store): Store => ({
      ...store,
      getSubscription: async (userId) => {
        reads += 1;
        if (broken) throw new Error('disk on fire');
        return store.getSubscription(userId);
      },
    });
    app = await startApp({ wrapStore });
    expect(await ask()).toEqual({ status: 503, body: UNREADABLE });
    broken = false;
    // The store is asked once a second at most, however many ask.
    await app.clock.advance(999);
    await Promise.all(Array.from({ length: 30 }, () => ask()));
    expect([(await ask()).status, reads]).toEqual([503, 1]);
    await app.clock.advance(1);
    expect([(await ask()).status, reads]).toEqual([200, 2]);
  });

  it('is 503 when asked deep while a request of an hour ago is unsettled', async () => {
    // A process that died in the middle of a run: nothing is settled.
    const wrapStore = (store: Store): Store => ({ ...store, settle: () => Promise.reject(new Error('gone')) });
    app = await startApp({ wrapStore });
    app.models.play(PLAIN);
    await app.post(CHAT_PATH, { model: 'demo-ada', messages: [{ role: 'user', content: 'Why?' }] });
    expect((await ask('?deep=1')).status).toBe(200);
    await app.clock.advance(2 * HOUR_MS);
    expect(await ask('?deep=1')).toEqual({ status: 503, body: LATE });
    expect((await ask()).status).toBe(200);
  });
});
