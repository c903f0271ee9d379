import { randomUUID } from 'node:crypto';
import type { TracedEvent } from '../../src/runs/trace-event';
import { bearer, CHAT, CHAT_PATH, RUN_ENDPOINTS, sharedApp } from '../support/app';
import { PLAIN } from '../support/scripted-models';
import { until } from '../support/until';

/** `GET /v1/runs/{id}/events`: the trace of a run, for who comes back to it. */

const TRACED = { model: 'demo-ada', ai_ensemble: { models: ['demo-ada', 'demo-blaise'], includeTrace: true } };
const UNKNOWN = { error: { message: 'Unknown run', type: 'invalid_request_error' } };

const app = sharedApp();
afterEach(() => app.clock.advance(60_000));

/** The events of a stream, each with the id it came under. */
function eventsIn(wire: string): { id: string; event: TracedEvent }[] {
  return [...wire.matchAll(/^id: (\d+)\ndata: (.+)\n\n/gm)].map(([, id = '', data = '']) => ({
    id,
    event: JSON.parse(data),
  }));
}

const read = (id: string, more = '', headers: Record<string, string> = {}) =>
  app.get(`/v1/runs/${id}/events${more}`, headers);

describe.each(RUN_ENDPOINTS)('a run of POST $path with a trace', ({ path, body: smallest }) => {
  const post = (fields: object, headers = {}) => app.post(path, { ...smallest, ...TRACED, ...fields }, headers);

  it.each([true, false])(
    'is kept (stream: %s): its events are those of the reply, each under its place',
    async (stream) => {
      const response = await post({ stream });
      const wire = await response.text();
      const chunks = stream ? wire.split('\n\n').filter((line) => line.includes('"trace"')) : [];
      const trace: TracedEvent[] = stream
        ? chunks.map((line) => JSON.parse(line.slice('data: '.length)).trace)
        : JSON.parse(wire).trace;
      const runId = response.headers.get('x-request-id') ?? '';
      expect(trace[0]).toMatchObject({ type: 'run', runId });
      const reply = await read(runId);
      expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      const events = eventsIn(await reply.text());
      expect(events.map(({ event }) => event)).toEqual(trace);
      expect(events.map(({ id }) => Number(id))).toEqual(trace.map(({ seq }) => seq));
      const later = eventsIn(await (await read(runId, '', { 'last-event-id': '3' })).text());
      expect(later).toEqual(events.slice(4));
      expect(eventsIn(await (await read(runId, '?after=3')).text())).toEqual(events.slice(4));
      expect(eventsIn(await (await read(runId, '?after=999')).text())).toEqual([]);
    },
  );

  it('is not kept with store: false, nor without a trace', async () => {
    const kept = () => app.container.store.listRuns('alice', { max: 99 });
    const before = await kept();
    for (const fields of [{ store: false }, { ai_ensemble: {} }]) {
      const response = await post(fields);
      await response.text();
      await app.clock.advance(60_000);
      expect((await read(response.headers.get('x-request-id') ?? '')).status).toBe(404);
    }
    expect(await kept()).toEqual(before);
  });
});

describe('GET /v1/runs/{id}/events', () => {
  /** A run whose models take five seconds, and its id. */
  async function begin(headers: Record<string, string> = {}) {
    app.models.reset();
    app.models.play((call) => ({ ...PLAIN(call), delayMs: 5_000 }));
    const gone = new AbortController();
    const response = await fetch(app.baseUrl + CHAT_PATH, {
      method: 'POST',
      headers: { ...bearer(app.key), 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ ...CHAT, ...TRACED, stream: true }),
      signal: gone.signal,
    });
    return { response, gone, id: response.headers.get('x-request-id') ?? '' };
  }
  /** Lets the models write: two drafts, then the answer. */
  async function letModelsWrite(): Promise<void> {
    for (const calls of [2, 3]) {
      await until(() => app.models.calls.length === calls);
      await app.clock.advance(5_000);
    }
  }
  const stateOf = async (runId: string) => (await app.container.store.findRun({ userId: 'alice', runId }))?.state;

  it('follows a run that is under way to its end, and takes no rate slot', async () => {
    const { response, id } = await begin();
    const follower = await read(id);
    expect(follower.headers.get('x-ratelimit-limit-requests')).toBeNull();
    await letModelsWrite();
    const [wire, followed] = await Promise.all([response.text(), follower.text()]);
    const events = eventsIn(followed).map(({ event }) => event);
    expect(events.at(-1)).toMatchObject({ type: 'end', outcome: 'complete' });
    expect(wire.split('\n\n').filter((line) => line.includes('"trace"'))).toHaveLength(events.length);
    expect(eventsIn(await (await read(id)).text()).map(({ event }) => event)).toEqual(events);
  });

  it('shows a run that was stopped as its client left, and lets one with an Idempotency-Key go on', async () => {
    for (const [headers, state] of [
      [{}, 'stopped'],
      [{ 'idempotency-key': randomUUID() }, 'complete'],
    ] as const) {
      const { response, gone, id } = await begin(headers);
      const left = response.text().catch(() => 'left');
      await until(async () => (await stateOf(id)) === 'running');
      gone.abort();
      expect(await left).toBe('left');
      if (state === 'complete') await letModelsWrite();
      const events = eventsIn(await (await read(id)).text());
      expect(events.at(-1)?.event).toMatchObject({ type: 'end', outcome: state });
      expect(await stateOf(id)).toBe(state);
    }
  });

  it('answers for another user’s run as for one that does not exist, and for what is no id', async () => {
    const { response, id } = await begin();
    await letModelsWrite();
    await response.text();
    const eve = bearer(await app.user('eve', 'pro'));
    expect((await read(id)).status).toBe(200);
    const refused = [
      await read(id, '', eve),
      await read('f'.repeat(32)),
      await read(id.toUpperCase()),
      await read('x'.repeat(10_000)),
      await read('%00'),
      await read("'; DROP TABLE runs; --"),
      await read('__proto__'),
    ];
    for (const reply of refused) expect([reply.status, await reply.json()]).toEqual([404, UNKNOWN]);
    expect((await read(id, '', { authorization: 'Bearer sk-ens_x' })).status).toBe(401);
  });

  it.each(['-1', '1e3', '0x1', ' ', 'end', '9'.repeat(400), '1,2'])(
    'refuses Last-Event-ID %p, naming the header',
    async (lastEventId) => {
      const reply = await read('f'.repeat(32), '', { 'last-event-id': lastEventId });
      const text = 'Invalid Last-Event-ID: must be the id of an event, a whole number';
      const isBlank = lastEventId.trim() === '';
      expect([reply.status, await reply.json()]).toEqual(
        isBlank ? [404, UNKNOWN] : [400, { error: { message: text, type: 'invalid_request_error' } }],
      );
    },
  );

  it('is refused to keys that are limited to other endpoints, and knows no other method', async () => {
    const key = await app.newKey('alice', 'limited', { endpoints: ['chat.completions'] });
    expect((await read('f'.repeat(32), '', bearer(key))).status).toBe(403);
    const reply = await app.post(`/v1/runs/${'f'.repeat(32)}/events`, {});
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET']);
  });
});
