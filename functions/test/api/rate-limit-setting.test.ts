import { RATE_LIMITED } from '../support/api-errors';
import { type App, bearer, startApp } from '../support/app';

const RPM = 7;

describe(`RATE_LIMIT_RPM=${RPM}: the limit of a user`, () => {
  let app: App;
  beforeEach(async () => {
    app = await startApp({ env: { RATE_LIMIT_RPM: String(RPM) } });
  });
  afterEach(() => app.close());

  /** Status and the three headers of so many requests, one after the other. */
  const ask = async (count: number, key = app.key): Promise<string[]> => {
    const seen: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const { status, headers } = await app.get('/v1/usage', bearer(key));
      const limits = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}-requests`));
      seen.push([status, ...limits].join(' '));
    }
    return seen;
  };

  it('admits that many in any minute, says so in the headers, and makes the next one wait', async () => {
    expect(await ask(RPM + 1)).toEqual([
      '200 7 6 60s',
      '200 7 5 60s',
      '200 7 4 60s',
      '200 7 3 60s',
      '200 7 2 60s',
      '200 7 1 60s',
      '200 7 0 60s',
      '429 7 0 60s',
    ]);
    await app.clock.advance(20_000);
    const refused = await app.chat();
    expect({ status: refused.status, body: await refused.json() }).toEqual({ status: 429, body: RATE_LIMITED });
    expect(refused.headers.get('retry-after')).toBe('40');
    await app.clock.advance(40_000);
    expect(await ask(1)).toEqual(['200 7 6 60s']);
  });

  it('is lowered by the limit of a key, and not raised by one', async () => {
    const slow = await app.newKey('alice', 'slow', { requestsPerMinute: 2 });
    expect(await ask(3, slow)).toEqual(['200 2 1 60s', '200 2 0 60s', '429 2 0 60s']);
    // Made when a user might ask 30 times.
    const fast = await app.newKey('alice', 'fast', { requestsPerMinute: 20 });
    expect(await ask(6, fast)).toEqual([
      '200 7 4 60s',
      '200 7 3 60s',
      '200 7 2 60s',
      '200 7 1 60s',
      '200 7 0 60s',
      '429 7 0 60s',
    ]);
  });
});

it('RATE_LIMIT_RPM=50 admits more than the 30 of the contract, and not one more than 50', async () => {
  await using app = await startApp({ env: { RATE_LIMIT_RPM: '50' } });
  const replies = await Promise.all(Array.from({ length: 60 }, () => app.get('/v1/usage')));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(50);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(10);
});
