import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '../../src/store/store';
import { errorBody } from '../support/api-errors';
import { bearer, CHAT, CHAT_PATH, EVALUATIONS_PATH, RUN_ENDPOINTS, startApp } from '../support/app';
import { during } from '../support/during';
import { failing, PLAIN, type Script } from '../support/scripted-models';
import { until } from '../support/until';
import type { WireUsage } from '../support/wire';
import { WIRES } from '../support/wires';

const KEYED = { 'idempotency-key': '7f1a-first' };
const HOUR_MS = 3_600_000;
const ANSWER = 'Botanically it is a berry.';
const EVALUATION = {
  prompt: 'Why?',
  responses: [{ modelId: 'a', modelName: 'A', response: 'So.' }],
  judge_models: [{ id: 'judge-1', name: 'One' }],
};
const slow: Script = (call) => ({ ...PLAIN(call), delayMs: 1_000 });

describe('Idempotency-Key', () => {
  const app = during('each', startApp);

  const chat = (fields: object = {}, headers: Record<string, string> = KEYED): Promise<Response> =>
    app.post(CHAT_PATH, { ...CHAT, ...fields }, headers);
  const requests = async (): Promise<number[]> => {
    const { body } = await app.read<WireUsage>('/v1/usage');
    return body.data.map(({ n_requests }) => n_requests);
  };

  it.each([
    ...WIRES.flatMap(({ path, prompt }) =>
      [false, true].map((stream) => ({ path, body: { model: CHAT.model, ...prompt() }, stream })),
    ),
    { path: EVALUATIONS_PATH, body: EVALUATION, stream: false },
  ])('$path, stream $stream: gives a reply again, byte by byte, for nothing, for 24 hours', async (row) => {
    const post = (): Promise<Response> => app.post(row.path, { ...row.body, stream: row.stream }, KEYED);
    const first = await post();
    const text = await first.text();
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([200, null]);
    await app.clock.advance(23 * HOUR_MS);
    const again = await post();
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await again.text()).toBe(text);
    expect(app.models.calls).toHaveLength(1);
    expect(await requests()).toEqual([1]);
    await app.clock.advance(HOUR_MS);
    expect((await post()).headers.get('idempotent-replayed')).toBeNull();
  });

  it('is refused while there is no memory for the reply that was kept, and gives it afterwards', async () => {
    await using small = await startApp({ memoryBytes: 8_000_000, script: () => ({ text: 'x'.repeat(600_000) }) });
    const post = (): Promise<Response> => small.post(CHAT_PATH, CHAT, KEYED);
    const text = await (await post()).text();
    const other = small.container.account.memory.shareOf('alice');
    other.hold(3_000_000);
    expect((await post()).status).toBe(503);
    other.release();
    expect(await (await post()).text()).toBe(text);
  });

  it.each([
    { what: 'another body', path: CHAT_PATH, body: { ...CHAT, temperature: 1 } },
    { what: 'another endpoint', path: RUN_ENDPOINTS[1].path, body: CHAT },
    { what: 'another protocol', path: `/openai${CHAT_PATH}`, body: CHAT },
  ])('refuses $what with a 409 that SDKs do not repeat, at rest and under way', async ({ path, body }) => {
    app.models.play(slow);
    const running = chat();
    await until(() => app.models.calls.length === 1);
    const early = await app.post(path, body, KEYED);
    await app.clock.advance(1_000);
    await (await running).text();
    for (const reply of [early, await app.post(path, body, KEYED)]) {
      expect([reply.status, reply.headers.get('x-should-retry')]).toEqual([409, 'false']);
      expect(await reply.json()).toMatchObject(errorBody('Idempotency-Key was used with another body or endpoint'));
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
    const expected = errorBody('Invalid Idempotency-Key: must be 1 to 255 visible ASCII characters');
    expect([reply.status, await reply.json()]).toEqual([400, expected]);
  });

  it('is each API key’s own', async () => {
    await (await chat()).text();
    for (const key of [await app.newKey('alice', 'other'), await app.user('bob', 'pro')]) {
      const reply = await chat({}, { ...KEYED, ...bearer(key) });
      expect(reply.headers.get('idempotent-replayed')).toBeNull();
    }
    expect(app.models.calls).toHaveLength(3);
  });

  it.each([true, false])('joins what is under way, also when its first client has left; stream %s', async (stream) => {
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
    const others = [chat({ stream }), chat({ stream })];
    // They wait in the service: there is no outer sign of it but that no second call is made.
    await until(async () => (await app.get('/v1/models')).ok);
    await app.clock.advance(1_000);
    const texts = await Promise.all(others.map(async (reply) => (await reply).text()));
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).toContain('berry');
    if (stream) expect(texts[0]?.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(app.models.calls.map(({ signal }) => signal.aborted)).toEqual([false]);
    expect(await requests()).toEqual([1]);
  });

  it.each([true, false])('is free again when the run has failed, stream %s', async (stream) => {
    app.models.play(() => failing('unavailable'));
    expect(await (await chat({ stream })).text()).toContain('error');
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
    app.models.play((call) => ({ ...PLAIN(call), delayMs: 3_000 }));
    const first = chat({ stream: true });
    await until(() => app.models.calls.length === 1);
    await app.clock.advance(2_000);
    const waiting = await Promise.all(Array.from({ length: 20 }, () => chat({ stream: true })));
    const refused = await chat({ stream: true });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
    await app.clock.advance(1_000);
    for (const reply of [await first, ...waiting]) expect(await reply.text()).toContain('[DONE]');
    expect((await chat({ stream: true })).status).toBe(200);
    expect(app.models.calls).toHaveLength(1);
  });

  it('counts replies that were made already as reads: 120 a minute', async () => {
    const statuses: number[] = [];
    for (let sent = 0; sent < 122; sent += 1) statuses.push((await chat()).status);
    expect(statuses).toEqual([...Array<number>(121).fill(200), 429]);
  });

  it('keeps replies and keys unreadable for whoever has only the database', async () => {
    await (await chat()).text();
    const directory = app.container.config.dataDirectory;
    for (const name of await readdir(directory)) {
      const bytes = await readFile(join(directory, name));
      expect([bytes.includes(ANSWER), bytes.includes('7f1a-first')]).toEqual([false, false]);
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
    expect(app.clock.pending).toBe(0);
  });

  it.each([true, false])('has a reply kept before its last byte is sent, stream %s', async (stream) => {
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
