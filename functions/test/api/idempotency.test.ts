import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../../src/store/store';
import { type App, bearer, CHAT, CHAT_PATH, EVALUATIONS_PATH, RUN_ENDPOINTS, startApp } from '../support/app';
import { failing, PLAIN, type Script } from '../support/scripted-models';
import { until } from '../support/until';
import { readStream, type WireUsage } from '../support/wire';

const KEYED = { 'idempotency-key': '7f1a-first' };
const HOUR_MS = 3_600_000;
const ANSWER = 'Botanically it is a berry.';

describe('Idempotency-Key', () => {
  let app: App;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.close());

  const chat = (fields: object = {}, headers: Record<string, string> = KEYED): Promise<Response> =>
    app.post(CHAT_PATH, { ...CHAT, ...fields }, headers);
  const requests = async (): Promise<number[]> => {
    const { body } = await app.read<WireUsage>('/v1/usage');
    return body.data.map(({ n_requests }) => n_requests);
  };
  const slow: Script = (call) => ({ ...PLAIN(call), delayMs: 1_000 });

  describe.each(RUN_ENDPOINTS)('POST $path', ({ path, body }) => {
    it.each([
      { kind: 'a JSON reply', stream: false },
      { kind: 'a stream', stream: true },
    ])('gives $kind again, byte by byte, for nothing', async ({ stream }) => {
      const post = (): Promise<Response> => app.post(path, { ...body, stream }, KEYED);
      const first = await post();
      const text = await first.text();
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      expect(text).toContain(ANSWER.split(' ')[0]);
      await app.clock.advance(23 * HOUR_MS);
      const again = await post();
      expect(again.status).toBe(200);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
      expect(await again.text()).toBe(text);
      expect(app.models.calls).toHaveLength(1);
      expect(await requests()).toEqual([1]);
    });
  });

  it('gives an evaluation again', async () => {
    const fields = {
      prompt: 'Why?',
      responses: [{ modelId: 'a', modelName: 'A', response: 'So.' }],
      judge_models: [{ id: 'judge-1', name: 'One' }],
    };
    const [first, again] = [
      await app.post(EVALUATIONS_PATH, fields, KEYED),
      await app.post(EVALUATIONS_PATH, fields, KEYED),
    ];
    expect(await again.text()).toBe(await first.text());
    expect(app.models.calls).toHaveLength(1);
  });

  it('is refused while there is no memory for the reply that was kept, and gives it afterwards', async () => {
    await using small = await startApp({ memoryBytes: 8_000_000, script: () => ({ text: 'x'.repeat(600_000) }) });
    const post = (): Promise<Response> => small.post(CHAT_PATH, CHAT, KEYED);
    const text = await (await post()).text();
    const { memory } = small.container.account;
    const other = memory.shareOf('alice');
    other.hold(3_000_000);
    expect((await post()).status).toBe(503);
    other.release();
    expect(await (await post()).text()).toBe(text);
  });

  it('forgets after 24 hours', async () => {
    await (await chat()).text();
    await app.clock.advance(24 * HOUR_MS);
    expect((await chat()).headers.get('idempotent-replayed')).toBeNull();
    expect(app.models.calls).toHaveLength(2);
  });

  it.each([
    { what: 'another body', path: CHAT_PATH, body: { ...CHAT, temperature: 1 } },
    { what: 'another endpoint', path: RUN_ENDPOINTS[1].path, body: CHAT },
  ])('refuses $what with a 409 that SDKs do not repeat, at rest and under way', async ({ path, body }) => {
    app.models.play(slow);
    const running = chat();
    await until(() => app.models.calls.length === 1);
    const early = await app.post(path, body, KEYED);
    await app.clock.advance(1_000);
    await (await running).text();
    for (const reply of [early, await app.post(path, body, KEYED)]) {
      expect(reply.status).toBe(409);
      expect(reply.headers.get('x-should-retry')).toBe('false');
      const message = 'Idempotency-Key was used with another body or endpoint';
      expect(await reply.json()).toEqual({ error: { message, type: 'invalid_request_error' } });
    }
    expect(app.models.calls).toHaveLength(1);
  });

  it.each([
    { rule: 'nothing', key: '' },
    { rule: 'a space', key: 'a b' },
    { rule: '256 characters', key: 'k'.repeat(256) },
    { rule: 'letters beyond ASCII', key: 'schl\u00fcssel' },
  ])('refuses a key of $rule by name', async ({ key }) => {
    const reply = await chat({}, { 'idempotency-key': key });
    expect(reply.status).toBe(400);
    const message = 'Invalid Idempotency-Key: must be 1 to 255 visible ASCII characters';
    expect(await reply.json()).toEqual({ error: { message, type: 'invalid_request_error' } });
  });

  it('is each API key’s own', async () => {
    const [other, bob] = [await app.newKey('alice', 'other'), await app.user('bob', 'pro')];
    await (await chat()).text();
    for (const key of [other, bob]) {
      const reply = await chat({}, { ...KEYED, ...bearer(key) });
      expect(reply.headers.get('idempotent-replayed')).toBeNull();
      await reply.text();
    }
    expect(app.models.calls).toHaveLength(3);
  });

  it.each([
    { kind: 'one piece', stream: false },
    { kind: 'a stream', stream: true },
  ])('joins what is under way, in $kind', async ({ stream }) => {
    app.models.play(slow);
    const first = chat({ stream });
    await until(() => app.models.calls.length === 1);
    const others = [chat({ stream }), chat({ stream })];
    if (stream) await Promise.all(others);
    // One-piece replies wait in the service: there is no outer sign of it but that no second call is made.
    else await until(async () => (await app.get('/v1/models')).ok);
    await app.clock.advance(1_000);
    const texts = await Promise.all([first, ...others].map(async (reply) => (await reply).text()));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('berry');
    expect(app.models.calls).toHaveLength(1);
    expect(await requests()).toEqual([1]);
  });

  it.each([
    { kind: 'a stream', stream: true },
    { kind: 'a JSON reply', stream: false },
  ])('goes on when the client has left $kind, so that its second try finds the whole reply', async ({ stream }) => {
    app.models.play(slow);
    const client = new AbortController();
    const lost = fetch(app.baseUrl + CHAT_PATH, {
      method: 'POST',
      headers: { ...bearer(app.key), 'content-type': 'application/json', ...KEYED },
      body: JSON.stringify({ ...CHAT, stream }),
      signal: client.signal,
    }).then((reply) => reply.text());
    await until(() => app.models.calls.length === 1);
    client.abort();
    await expect(lost).rejects.toThrow();
    const retry = chat({ stream });
    if (stream) await retry;
    else await until(async () => (await app.get('/v1/models')).ok);
    await app.clock.advance(1_000);
    const text = await (await retry).text();
    expect(text).toContain('berry');
    if (stream) expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(app.models.calls).toHaveLength(1);
    expect(app.models.calls[0]?.signal.aborted).toBe(false);
    expect(await requests()).toEqual([1]);
  });

  it.each([
    { kind: 'a stream', stream: true },
    { kind: 'a JSON reply', stream: false },
  ])('is free again when $kind has failed', async ({ stream }) => {
    app.models.play(() => failing('unavailable'));
    const failed = await chat({ stream });
    expect(await failed.text()).toContain('error');
    app.models.play(PLAIN);
    const reply = await chat({ stream });
    expect(reply.headers.get('idempotent-replayed')).toBeNull();
    expect(await reply.text()).toContain('berry');
  });

  it('is free again when the request was refused, and a 400 never takes it', async () => {
    for (let sent = 0; sent < 30; sent += 1) await (await chat({}, {})).text();
    expect((await chat()).status).toBe(429);
    await app.clock.advance(60_000);
    expect((await chat({ temperature: 9 })).status).toBe(400);
    expect((await chat()).status).toBe(200);
  });

  it('lets 20 repeated requests of a user wait at a time, and refuses more with a 429', async () => {
    app.models.play(slow);
    const first = chat({ stream: true });
    await until(() => app.models.calls.length === 1);
    const waiting = await Promise.all(Array.from({ length: 20 }, () => chat({ stream: true })));
    const refused = await chat({ stream: true });
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('10');
    await app.clock.advance(1_000);
    for (const reply of [await first, ...waiting]) expect((await readStream(reply)).done).toBe(true);
    expect((await chat({ stream: true })).status).toBe(200);
    expect(app.models.calls).toHaveLength(1);
  });

  it('counts replies that were made already as reads: 120 a minute', async () => {
    await (await chat()).text();
    const statuses: number[] = [];
    for (let sent = 0; sent < 121; sent += 1) {
      const reply = await chat();
      statuses.push(reply.status);
      await reply.text();
    }
    expect(statuses).toEqual([...Array<number>(120).fill(200), 429]);
  });

  it('keeps replies and keys unreadable for whoever has only the database', async () => {
    await (await chat()).text();
    const directory = app.container.config.dataDirectory;
    for (const name of await readdir(directory)) {
      const bytes = await readFile(join(directory, name));
      expect(bytes.includes(ANSWER)).toBe(false);
      expect(bytes.includes('7f1a-first')).toBe(false);
    }
  });
});

describe('Idempotency-Key, with a store that is watched', () => {
  const start = (change: (store: Store) => Partial<Store>) =>
    startApp({ wrapStore: (store) => ({ ...store, ...change(store) }) });

  it('waits for a process that is not heard of for 30 s, and then takes its place', async () => {
    const outcomes: { readonly granted: boolean; readonly afterMs: number }[] = [];
    await using app = await start((store) => ({
      claimKey: async (claim, nowMs) => {
        if (outcomes.length === 0) await store.claimKey({ ...claim, requestId: 'of-the-dead' }, nowMs);
        const outcome = await store.claimKey(claim, nowMs);
        outcomes.push({ granted: outcome.granted, afterMs: nowMs - startedMs });
        return outcome;
      },
    }));
    const startedMs = app.clock.nowMs();
    const reply = app.post(CHAT_PATH, CHAT, KEYED);
    // Time stands still until the store has answered: however slow it is, the request looks every 500 ms.
    for (let looks = 1; !outcomes.at(-1)?.granted; looks += 1) {
      if (looks > 1) await app.clock.advance(500);
      await until(() => outcomes.length === looks);
    }
    expect(outcomes).toEqual(Array.from({ length: 61 }, (_, look) => ({ granted: look === 60, afterMs: look * 500 })));
    expect((await reply).status).toBe(200);
    expect(await (await reply).text()).toContain('berry');
    expect(app.models.calls).toHaveLength(1);
  });

  it('holds a claim for as long as its run takes', async () => {
    const renewed: number[] = [];
    await using app = await start((store) => ({
      renewClaim: (claimed, leaseUntilMs) => {
        renewed.push(leaseUntilMs - app.clock.nowMs());
        return store.renewClaim(claimed, leaseUntilMs);
      },
    }));
    app.models.play((call) => ({ ...PLAIN(call), delayMs: 45_000 }));
    const reply = app.post(CHAT_PATH, CHAT, KEYED);
    await until(() => app.models.calls.length === 1);
    await app.clock.advance(45_000);
    await (await reply).text();
    expect(renewed).toEqual([30_000, 30_000, 30_000, 30_000]);
    const { pending } = app.clock;
    await app.clock.advance(60_000);
    expect(renewed).toHaveLength(4);
    expect(pending).toBe(0);
  });

  it.each([
    { kind: 'a stream', stream: true },
    { kind: 'a JSON reply', stream: false },
  ])('has $kind kept before its last byte is sent', async ({ stream }) => {
    const { promise: kept, resolve: keep } = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await using app = await start((store) => ({
      keepReply: async (claimed, reply) => {
        asked.resolve();
        await kept;
        await store.keepReply(claimed, reply);
      },
    }));
    let text = '';
    const read = app.post(CHAT_PATH, { ...CHAT, stream }, KEYED).then(async ({ body }) => {
      for await (const bytes of body ?? []) text += Buffer.from(bytes).toString();
    });
    await asked.promise;
    // A round trip over the same loopback: what was written before it has arrived.
    if (stream) await until(() => text.includes('berry'));
    await app.get('/v1/models');
    expect(text).not.toContain(stream ? '[DONE]' : '}');
    keep();
    await read;
    expect(text.endsWith(stream ? 'data: [DONE]\n\n' : '}')).toBe(true);
  });

  it.each(['keepReply', 'releaseClaim', 'renewClaim'] as const)('answers all the same when %s fails', async (name) => {
    await using app = await start(() => ({ [name]: () => Promise.reject(new Error('no database')) }));
    const reply = await app.post(CHAT_PATH, CHAT, KEYED);
    expect(await reply.text()).toContain('berry');
  });
});
