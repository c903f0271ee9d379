import { systemClock } from '../../src/lib/clock';
import { type App, type AppOptions, startApp } from '../support/app';
import { ask } from '../support/dashboard';
import { during } from '../support/during';
import { event, type Reply, sendEvents, sendStatus, startFakeUpstream, underControl } from '../support/fake-upstream';

interface Listed {
  readonly id: string;
  readonly owned_by: string;
  readonly [fact: string]: unknown;
}

const PNG = Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64');
const LOOK = { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }] };
const sendList = (...models: object[]): Reply => sendStatus(200, { object: 'list', data: models });
const ANSWER = sendEvents(event({ choices: [{ index: 0, delta: { content: 'A berry.' }, finish_reason: 'stop' }] }));

/** A server of one's own that lists models as Ollama does, and what is asked of it. */
describe('a server of one’s own behind OPENAI_BASE_URL', () => {
  const server = during('each', startFakeUpstream);
  let app: App;
  afterEach(async () => {
    await app.close();
  });

  const start = async (options: AppOptions = {}) => {
    const env = { OPENAI_BASE_URL: `${server.url}/v1`, DEFAULT_MODEL: 'llama3.2', ...options.env };
    app = await startApp({ providers: {}, ...options, env });
  };
  const listed = async () => {
    const { data } = (await (await app.get('/v1/models')).json()) as { data: Listed[] };
    return data.filter(({ owned_by: owner }) => owner !== 'ensemble');
  };
  const ids = async () => (await listed()).map(({ id }) => id);
  const lists = () => server.requests.filter(({ method }) => method === 'GET');

  it('has its models listed beside those of the settings, without those that do not chat; nothing is told that is not known', async () => {
    await start();
    expect(server.requests).toEqual([]);
    server.willReply(sendList({ id: 'nomic-embed-text' }, { id: 'qwen3:8b' }, { id: 'llama3.2' }, { id: 'ensemble' }));
    const rows = await listed();
    expect(rows.map(({ id, owned_by: owner }) => [id, owner])).toEqual([
      ['llama3.2', 'own-server'],
      ['qwen3:8b', 'own-server'],
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({ vision: 'unknown', tools: 'unknown', web_search: false, priced: false });
      expect(row).not.toHaveProperty('context_length');
    }
    expect(((await (await app.get('/v1/models/qwen3:8b')).json()) as Listed).id).toBe('qwen3:8b');
    expect((await app.get('/v1/models/none')).status).toBe(404);
  });

  it('is asked once by all who ask at a time, and not again for 30 seconds', async () => {
    await start();
    const { reply, exchange } = underControl();
    server.willReply(reply, sendList({ id: 'new' }));
    const asked = Promise.all([ids(), ids(), ask<{ models: Listed[] }>(app, { path: 'models' })]);
    const list = await exchange;
    list.begin(200, { 'content-type': 'application/json' });
    list.end('{"data":[{"id":"old"}]}');
    const [first, second, { body }] = await asked;
    expect([first, second, body.models.map(({ id }) => id)]).toEqual(Array(3).fill(['llama3.2', 'old']));
    await ids();
    expect(lists()).toHaveLength(1);
    await app.clock.advance(30_000);
    expect(await ids()).toEqual(['llama3.2', 'new']);
  });

  it('that is down or silent keeps nobody waiting for more than three seconds: the last list counts, else the settings', async () => {
    await start();
    server.willReply(sendStatus(503, 'loading'));
    const state = async () => (await ask<{ ownServer?: object }>(app, { path: 'models' })).body.ownServer;
    expect([await ids(), await state()]).toEqual([
      ['llama3.2'],
      { trouble: 'it answers GET /models with status 503', listedAt: null },
    ]);
    await app.clock.advance(10_000);
    server.willReply(sendList({ id: 'pulled' }));
    expect(await ids()).toEqual(['llama3.2', 'pulled']);
    const listedAt = new Date(app.clock.nowMs()).toISOString();
    expect(await state()).toEqual({ trouble: null, listedAt });
    await app.clock.advance(30_000);
    const silent = underControl();
    server.willReply(silent.reply);
    const waiting = ids();
    const { disconnected } = await silent.exchange;
    await app.clock.advance(3_000);
    expect([await waiting, await state()]).toEqual([
      ['llama3.2', 'pulled'],
      { trouble: 'it did not answer within 3000 ms', listedAt },
    ]);
    await disconnected;
  });

  it('lists what the deployment and a key allow, and no model that another provider is asked for', async () => {
    const limits = { MODELS_ALLOWED: 'llama*,claude*,qwen*', ANTHROPIC_API_KEY: 'k' };
    await start({ env: limits });
    server.willReply(sendList({ id: 'llama4' }, { id: 'claude-3-opus' }, { id: 'phi4' }, { id: 'qwen3' }));
    expect((await ids()).filter((id) => !id.startsWith('claude-'))).toEqual(['llama3.2', 'llama4', 'qwen3']);
    expect(await ids()).not.toContain('claude-3-opus');
    const key = await app.newKey('alice', 'narrow', { models: ['llama*'] });
    const { body } = await app.read<{ data: Listed[] }>('/v1/models', key);
    const own = body.data.filter(({ owned_by: owner }) => owner === 'own-server');
    expect(own.map(({ id }) => id)).toEqual(['llama3.2', 'llama4']);
  });

  it('lets its models see images where it is not known if they do; a refusal is told for what it is', async () => {
    await start({ clock: systemClock });
    server.willReply(ANSWER);
    expect((await app.chat({ model: 'llava', messages: [LOOK] })).status).toBe(200);
    expect(server.requests[0]?.body).toContain(`data:image/png;base64,${PNG}`);
    server.willReply(sendStatus(500, { error: { message: 'image input is not supported - hint: mmproj' } }));
    const refused = await app.chat({ model: 'llama3.2', messages: [LOOK] });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { message: 'The model failed: llama3.2 (takes no images)', type: 'invalid_request_error' } },
    ]);
    expect(server.requests).toHaveLength(2);
  });

  it('says itself which of its models see, and those that do not are not asked', async () => {
    await start();
    const architecture = { input_modalities: ['text'] };
    server.willReply(sendList({ id: 'blind', architecture, max_model_len: 4_096 }));
    expect((await listed())[1]).toMatchObject({ id: 'blind', vision: false, context_length: 4_096 });
    const { status, body } = await app.complete<unknown>({ model: 'blind', messages: [LOOK] });
    expect([status, body]).toMatchObject([
      400,
      { error: { message: 'Images need models with vision, which blind has not' } },
    ]);
  });

  it('serves ids with a slash in the playground, too, listed or not', async () => {
    await start({ clock: systemClock });
    await app.user('demo', 'pro');
    server.willReply(ANSWER);
    const run = { model: 'Qwen/Qwen3-8B', messages: [{ role: 'user', content: 'Hello' }] };
    const { status, text } = await ask(app, { method: 'POST', path: 'runs', body: run });
    expect([status, text.includes('A berry.')]).toEqual([200, true]);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toMatchObject({ model: 'Qwen/Qwen3-8B' });
  });
});
