import { ModelFault, type ModelFaultKind } from '../../src/models/model-fault';
import { bearer, RUN_ENDPOINTS, sharedApp } from '../support/app';
import { PLAIN, type Script } from '../support/scripted-models';
import { until } from '../support/until';
import { readStream } from '../support/wire';

const HELD_MS = 2_000;
const PANEL = { ai_ensemble: { models: ['demo-blaise', 'demo-curie'] } };

/** A model that fails so at first, and then speaks. */
function failsOnce(kind: ModelFaultKind, retryAfterSeconds?: number, delayMs = 0): Script {
  let asked = 0;
  return (call) => {
    asked += 1;
    const fault = new ModelFault(kind, { retryAfterSeconds });
    return asked === 1 ? { text: '', usage: null, delayMs, fault } : PLAIN(call);
  };
}

describe.each(RUN_ENDPOINTS)('POST $path: a stream of a plain id', ({ path, body }) => {
  const app = sharedApp({ env: { RATE_LIMIT_RPM: '1000' } });
  const ask = (fields: object = {}, init: RequestInit = {}): Promise<Response> =>
    fetch(app.baseUrl + path, {
      method: 'POST',
      headers: { ...bearer(app.key), 'content-type': 'application/json', ...init.headers },
      body: JSON.stringify({ ...body, stream: true, ...fields }),
      ...(init.signal && { signal: init.signal }),
    });
  const asked = (count = 1): Promise<void> => until(() => app.models.calls.length === count);
  /** Resolves to nothing while there is no reply. */
  const settled = (reply: Promise<Response>): Promise<Response | undefined> =>
    Promise.race([reply, app.get('/v1/models').then(() => undefined)]);

  it('has no head before its model speaks, and one then', async () => {
    app.models.play((call) => ({ ...PLAIN(call), delayMs: HELD_MS - 1 }));
    const reply = ask();
    await asked();
    await app.clock.advance(HELD_MS - 2);
    expect(await settled(reply)).toBeUndefined();
    await app.clock.advance(1);
    expect(await readStream(await reply)).toMatchObject({ content: 'Botanically it is a berry.', done: true });
    await until(() => app.clock.pending === 0);
  });

  it.each([
    ['after two seconds, whatever its model does', {}, HELD_MS],
    ['at once with a trace, which is shown as it happens', { ai_ensemble: { includeTrace: true } }, 0],
    ['at once of a panel', PANEL, 0],
  ])('begins %s', async (_, fields, afterMs) => {
    app.models.play((call) => ({ ...PLAIN(call), delayMs: 60_000 }));
    const client = new AbortController();
    const reply = ask(fields, client);
    await until(() => app.models.calls.length > 0);
    await app.clock.advance(afterMs);
    expect((await reply).headers.get('content-type')).toMatch(/^text\/event-stream/);
    client.abort();
    await until(() => app.models.calls.every(({ signal }) => signal.aborted));
  });

  it.each<[fault: ModelFaultKind, afterSeconds: number, told: unknown[]]>([
    ['rate_limited', 3, [429, '3', 'true']],
    ['rate_limited', 61, [429, '61', 'false']],
    ['overloaded', 30, [429, '30', 'true']],
    ['server', 30, [500, null, 'false']],
  ])('is no stream where its model is %s for %i s: %j at once', async (fault, afterSeconds, told) => {
    app.models.play(failsOnce(fault, afterSeconds));
    const { status, headers } = await ask();
    expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual(told);
    expect(app.models.calls).toHaveLength(1);
    await until(() => app.clock.pending === 0);
  });

  it.each<[rule: string, script: Script, fields: object, waitMs: number]>([
    ['of no more than two seconds', failsOnce('rate_limited', 2), {}, 2_000],
    ['once it has begun', failsOnce('rate_limited', 30, HELD_MS + 1), {}, 30_000],
    ['with a trace', failsOnce('rate_limited', 30), { ai_ensemble: { includeTrace: true } }, 30_000],
    ['in one piece', failsOnce('rate_limited', 30), { stream: false }, 30_000],
  ])('waits as long as its provider says %s', async (_, script, fields, waitMs) => {
    app.models.play(script);
    const reply = ask(fields);
    await asked();
    await app.clock.advance(HELD_MS + 1);
    await app.clock.advance(waitMs);
    expect(await (await reply).text()).toContain('berry');
    expect(app.models.calls).toHaveLength(2);
  });

  it('has begun once its model thinks: what fails then is told in the stream', async () => {
    const fault = new ModelFault('unauthorized');
    app.models.play(() => ({ text: '', thoughts: [{ reasoning_content: 'Hm.' }], usage: null, fault }));
    const reply = await ask();
    const { chunks, done } = await readStream(reply);
    expect([reply.status, done, chunks.at(-2)?.choices[0]?.delta]).toEqual([200, false, { reasoning_content: 'Hm.' }]);
    expect(chunks.at(-1)).toEqual({ error: 'The model failed: demo-ada (unauthorized)' });
  });

  it('whose client leaves meanwhile aborts its call, and leaves no timer', async () => {
    app.models.play((call) => ({ ...PLAIN(call), delayMs: 1_000 }));
    const client = new AbortController();
    const reply = ask({}, client);
    await asked();
    client.abort();
    await expect(reply).rejects.toThrow();
    await until(() => app.clock.pending === 0);
    expect(app.models.calls.map(({ signal }) => signal.aborted)).toEqual([true]);
  });

  it('repeated under one key is held for all, and its failure is not kept', async () => {
    app.models.play(failsOnce('rate_limited', 61, 1_000));
    const keyed = { headers: { 'idempotency-key': `k-${path}` } };
    const both = [ask({}, keyed), ask({}, keyed)];
    await asked();
    await until(async () => (await app.get('/v1/models')).ok);
    await app.clock.advance(1_000);
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([429, 429]);
    expect(await (await ask({}, keyed)).text()).toContain('berry');
  });
});
