import { RATE_LIMITED } from '../support/api-errors';
import { type App, bearer, CHAT, CHAT_PATH, startApp } from '../support/app';

const BUCKET = 120;

describe('requests that take no rate slot: 120 a minute and user in a process', () => {
  let app: App;
  let reads: number;
  beforeEach(async () => {
    reads = 0;
    app = await startApp({
      wrapStore: (store) => ({
        ...store,
        readAccess: (hashes) => {
          reads += 1;
          return store.readAccess(hashes);
        },
      }),
    });
  });
  afterEach(() => app.close());

  const statuses = async (count: number, send: () => Promise<Response>): Promise<number[]> => {
    const list: number[] = [];
    for (let index = 0; index < count; index += 1) {
      const response = await send();
      await response.arrayBuffer();
      list.push(response.status);
    }
    return list;
  };
  const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

  it.each([
    { what: 'bad fields', send: () => app.post(CHAT_PATH, { ...CHAT, temperature: 3 }), status: 400 },
    { what: 'malformed JSON', send: () => app.post(CHAT_PATH, '{'), status: 400 },
    { what: 'a compressed body', send: () => app.post(CHAT_PATH, '{}', { 'content-encoding': 'gzip' }), status: 415 },
    { what: 'a plan', send: () => app.chat({ ai_ensemble: { dryRun: true } }), status: 200 },
    { what: 'a bad date', send: () => app.get('/v1/usage?start_date=never'), status: 400 },
    { what: 'the list of models', send: () => app.get('/v1/models'), status: 200 },
  ])('$what: the 121st at one moment is 429, told to wait a second', async ({ send, status }) => {
    // A bad date is a GET and a 400: it costs one, not two.
    expect(await statuses(BUCKET, send)).toEqual(times(BUCKET, status));
    const refused = await send();
    expect({ status: refused.status, body: await refused.json() }).toEqual({ status: 429, body: RATE_LIMITED });
    expect(refused.headers.get('retry-after')).toBe('1');
    await app.clock.advance(1_000);
    // Two a second come back.
    expect(await statuses(3, send)).toEqual([status, status, 429]);
  });

  it('once empty, nothing of its user is looked up or read, over all keys that are known', async () => {
    const second = await app.newKey('alice', 'second');
    expect((await app.get('/v1/models', bearer(second))).status).toBe(200);
    await statuses(BUCKET - 1, () => app.get('/v1/models'));
    const before = reads;
    expect((await app.chat()).status).toBe(429);
    expect((await app.post(CHAT_PATH, CHAT, bearer(second))).status).toBe(429);
    expect(reads).toBe(before);
    expect(app.models.calls).toEqual([]);
    await app.clock.advance(60_000);
    expect((await app.chat()).status).toBe(200);
  });

  it('is not touched by good requests, nor by 429 and 401', async () => {
    for (let minute = 0; minute < 3; minute += 1) {
      expect(await statuses(40, () => app.chat())).toEqual([...times(30, 200), ...times(10, 429)]);
      await app.clock.advance(60_000);
    }
    await statuses(40, () => app.chat());
    await statuses(200, () => app.post(CHAT_PATH, CHAT, bearer(`${app.key}x`)));
    expect(await statuses(BUCKET + 1, () => app.get('/v1/models'))).toEqual([...times(BUCKET, 200), 429]);
  });

  it('does not hold one user up for another', async () => {
    const bob = await app.user('bob', 'pro');
    await statuses(BUCKET + 1, () => app.get('/v1/models'));
    expect((await app.get('/v1/models', bearer(bob))).status).toBe(200);
  });
});
