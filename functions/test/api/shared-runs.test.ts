import { type App, startApp } from '../support/app';
import { ask, LOCAL_USER } from '../support/dashboard';

/** Links by which anybody reads a run, and what they do not tell. */

const SECRETS = { user: 'ada@example.com', metadata: { account: 'acme-42' } };
const BODY = {
  model: 'demo-ada',
  messages: [{ role: 'user', content: 'Is a tomato a fruit?' }],
  ai_ensemble: { models: ['demo-ada', 'demo-curie'] },
  ...SECRETS,
};
const UNKNOWN = {
  error: { message: 'No run is shared by this link: it may have been ended', type: 'invalid_request_error' },
};
const REQUESTS_MAX = 120;
const DAY_MS = 86_400_000;

describe('a link to a run', () => {
  let app: App;
  afterEach(() => app.close());

  async function withRun(env: Record<string, string> = {}): Promise<string> {
    app = await startApp({ env });
    await app.user(LOCAL_USER, 'pro');
    await ask(app, { method: 'POST', path: 'runs', body: BODY });
    const { body } = await ask<{ data: { id: string }[] }>(app, { path: 'runs' });
    return body.data[0]?.id ?? '';
  }
  const share = async (id: string) =>
    (await ask<{ token: string }>(app, { method: 'PUT', path: `runs/${id}/share` })).body.token;
  /** Request of anybody who has no account: without cookie, key or header. */
  const read = (token: string) => fetch(`${app.baseUrl}/dashboard/shared/${token}`);
  const readWith = async (token: string) => {
    const reply = await read(token);
    return { status: reply.status, headers: reply.headers, body: await reply.text() };
  };
  const isShared = async (id: string) => (await ask<{ shared: boolean }>(app, { path: `runs/${id}` })).body.shared;

  it('shows who has it the run, to be indexed by nobody, without a trace of the account', async () => {
    const id = await withRun();
    expect(await isShared(id)).toBe(false);
    const token = await share(id);
    expect(token).toMatch(/^[\w-]{32}$/);
    expect(await isShared(id)).toBe(true);
    const { status, headers, ...reply } = await readWith(token);
    expect(status).toBe(200);
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    const { prompt, request, events } = JSON.parse(reply.body);
    const { model, messages, ai_ensemble } = BODY;
    expect([prompt, request]).toEqual(['Is a tomato a fruit?', { model, messages, ai_ensemble }]);
    expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(events.map((_: unknown, at: number) => at));
    expect(events.at(-1)).toMatchObject({ type: 'end', outcome: 'complete' });
    for (const secret of [LOCAL_USER, SECRETS.user, SECRETS.metadata.account, 'sk-'])
      expect(reply.body.replaceAll('demo-', '')).not.toContain(secret);
  });

  it('is kept as a hash alone', async () => {
    const id = await withRun();
    const token = await share(id);
    const run = await app.container.store.findRun({ userId: LOCAL_USER, runId: id });
    expect(run?.share).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(run)).not.toContain(token);
  });

  it('leads nowhere once it is ended, replaced, or its run deleted: with the same 404 as one that never was', async () => {
    const id = await withRun();
    const [first, second] = [await share(id), await share(id)];
    const expectUnknown = async (token: string): Promise<void> => {
      const reply = await read(token);
      expect([reply.status, await reply.json()]).toEqual([404, UNKNOWN]);
    };
    await expectUnknown(first);
    await expectUnknown('x'.repeat(32));
    await expectUnknown('..%2F..%2Fruns');
    expect((await read(second)).status).toBe(200);
    const ended = await ask(app, { method: 'DELETE', path: `runs/${id}/share` });
    expect(ended.body).toEqual({ shared: false });
    await expectUnknown(second);
    const third = await share(id);
    await ask(app, { method: 'DELETE', path: `runs/${id}` });
    await expectUnknown(third);
  });

  it('leads nowhere once its run is as old as runs are kept', async () => {
    const id = await withRun({ RUNS_KEPT_DAYS: '2' });
    const token = await share(id);
    await app.clock.advance(2 * DAY_MS - 60_000);
    expect((await read(token)).status).toBe(200);
    await app.clock.advance(60_000);
    expect((await read(token)).status).toBe(404);
  });

  it('is made for runs of one’s own alone', async () => {
    await withRun();
    const other = 'f'.repeat(32);
    for (const method of ['PUT', 'DELETE'])
      expect((await ask(app, { method, path: `runs/${other}/share` })).status).toBe(404);
  });

  it('is neither made nor followed where the deployment has switched links off', async () => {
    const id = await withRun({ RUN_LINKS: 'off' });
    const { store } = app.container;
    const reply = await ask<{ error: { message: string } }>(app, { method: 'PUT', path: `runs/${id}/share` });
    expect([reply.status, reply.body.error.message]).toEqual([404, 'This server makes no links to runs']);
    await store.shareRun({ userId: LOCAL_USER, runId: id }, HASH_OF_XS);
    expect((await read('x'.repeat(32))).status).toBe(404);
  });

  it('is asked for 120 times a minute by one network', async () => {
    await withRun();
    const asked = Array.from({ length: REQUESTS_MAX }, () => read('x'.repeat(32)));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([404]));
    const refused = await read('x'.repeat(32));
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await ask(app, { path: 'runs' })).status).toBe(200);
  });
});

/** SHA-256 of 32 times the letter x. */
const HASH_OF_XS = 'c62e4615bd39e222572f3a1bf7c2132ea1e65b17ec805047bd6b2842c593493f';
