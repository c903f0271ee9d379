import { ModelFault } from '../../src/models/model-fault';
import { errorBody } from '../support/api-errors';
import { bearer, CHAT, CHAT_PATH, EVALUATIONS_PATH, startApp } from '../support/app';
import { during } from '../support/during';
import { until } from '../support/until';

const OPEN_MAX = 30;
/** More than may be under way. */
const RPM = 100;
const TOO_MANY = errorBody('Too many runs under way: at most 30 at a time', 'rate_limit_error');

describe('the runs of one user that are under way: at most 30 in a process', () => {
  const app = during('each', () =>
    startApp({
      env: { RATE_LIMIT_RPM: String(RPM) },
      script: () => ({ text: 'A berry.', delayMs: 10_000 }),
    }),
  );

  const chat = (key = app.key) => app.post(CHAT_PATH, CHAT, bearer(key));
  /** Begins runs, and comes back when all of them wait for their models. */
  const begin = async (count: number, send = chat): Promise<Promise<Response>[]> => {
    const before = app.models.calls.length;
    const replies = Array.from({ length: count }, () => send());
    await until(() => app.models.calls.length === before + count);
    return replies;
  };

  /** A run is booked a moment before its place is free: refusals, which take no slot, are asked again. */
  const chatOnceFree = async (): Promise<Response> => {
    const reply = await chat();
    return reply.status === 429 ? chatOnceFree() : reply;
  };

  it('refuses the 31st with 429, and takes no slot and opens no record for it', async () => {
    const open = await begin(OPEN_MAX);
    const refused = await chat();
    expect({ status: refused.status, body: await refused.json() }).toEqual({ status: 429, body: TOO_MANY });
    // The oldest may last for 525 s; no wait is told that is longer than a minute.
    expect(refused.headers.get('retry-after')).toBe('60');
    const { length } = app.models.calls;
    expect(length).toBe(OPEN_MAX);
    const usage = await app.get('/v1/usage');
    expect(usage.headers.get('x-ratelimit-remaining-requests')).toBe(String(RPM - OPEN_MAX - 1));
    await app.clock.advance(10_000);
    expect((await Promise.all(open)).map(({ status }) => status)).toEqual(open.map(() => 200));
    const [month] = await app.container.store.readMonths('alice', ['2026-01']);
    expect(month?.requests).toBe(OPEN_MAX);
  });

  it('counts streams and evaluations too, and frees the places of clients that leave', async () => {
    const gone = new AbortController();
    const stream = () =>
      fetch(app.baseUrl + CHAT_PATH, {
        method: 'POST',
        headers: { ...bearer(app.key), 'content-type': 'application/json' },
        body: JSON.stringify({ ...CHAT, stream: true }),
        signal: gone.signal,
      });
    const streams = await begin(OPEN_MAX, stream);
    await app.clock.advance(2_000);
    await Promise.all(streams);
    const evaluation = {
      prompt: 'Is a tomato a fruit?',
      responses: [{ modelId: 'a', modelName: 'A', response: 'Yes.' }],
      judge_models: [{ id: 'judge', name: 'Judge' }],
    };
    expect((await app.post(EVALUATIONS_PATH, evaluation)).status).toBe(429);
    gone.abort();
    await until(async () => (await app.container.store.readMonths('alice', ['2026-01']))[0]?.requests === OPEN_MAX);
    const [next] = await begin(1, chatOnceFree);
    await app.clock.advance(10_000);
    expect((await next)?.status).toBe(200);
  });

  it('lets in one more for each that ended, however it ended', async () => {
    const open = await begin(OPEN_MAX);
    await app.clock.advance(10_000);
    await Promise.all(open);
    app.models.play(() => ({ text: '', fault: new ModelFault('unauthorized') }));
    for (let count = 0; count < 5; count += 1) expect((await chat()).status).toBe(500);
    await app.clock.advance(60_000);
    app.models.reset();
    const again = await begin(OPEN_MAX);
    expect((await chat()).status).toBe(429);
    await app.clock.advance(10_000);
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual(again.map(() => 200));
  });

  it('does not hold one user up for another', async () => {
    const bob = await app.user('bob', 'pro');
    const open = await begin(OPEN_MAX);
    const [his] = await begin(1, () => chat(bob));
    await app.clock.advance(10_000);
    expect((await his)?.status).toBe(200);
    await Promise.all(open);
  });
});
