import { sweepExpired } from '../../src/ledger/sweep';
import { ModelFault } from '../../src/models/model-fault';
import { INTERNAL } from '../support/api-errors';
import { type App, startApp } from '../support/app';
import { failing, type Script } from '../support/scripted-models';
import { sortedRecord, type WireUsage, type WireUsageRecord } from '../support/wire';

const MONTH_31_DAYS_MS = 31 * 86_400_000;
const ADA = { model_id: 'demo-ada', model_name: 'Demo Ada' };
const BLAISE = { model_id: 'demo-blaise', model_name: 'Demo Blaise' };

/** Every call by every model costs these tokens. */
function tokens(promptTokens: number, completionTokens: number): Script {
  return ({ purpose }) => ({ text: `A ${purpose}.`, usage: { promptTokens, completionTokens } });
}

describe('GET /v1/usage: what is counted', () => {
  let app: App;
  beforeEach(async () => {
    app = await startApp();
  });
  afterEach(() => app.close());

  const record = async (query = '', key = app.key): Promise<WireUsageRecord | undefined> => {
    const { status, body } = await app.read<WireUsage>(`/v1/usage${query}`, key);
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'list', has_more: false });
    expect(body.data.length).toBeLessThanOrEqual(1);
    return sortedRecord(body.data[0]);
  };

  it('does not count itself, nor requests that were refused, nor the model list, and leaves nothing open', async () => {
    await app.read('/v1/usage');
    await app.complete({ model: '' });
    await app.complete({}, 'sk-ens_wrong');
    await app.read('/v1/models');
    const { body } = await app.read('/v1/usage');
    expect(body).toEqual({ object: 'list', data: [], has_more: false });
    await app.clock.advance(MONTH_31_DAYS_MS);
    expect(await sweepExpired({ store: app.container.store, clock: app.clock })).toBe(0);
  });

  it('has every documented field and none else, for one request', async () => {
    app.models.play(tokens(100, 10));
    await app.complete();
    const { body } = await app.read<WireUsage>('/v1/usage');
    const nowMs = app.clock.nowMs();
    // 100·100 + 10·400 nano-USD
    expect(body).toStrictEqual({
      object: 'list',
      has_more: false,
      data: [
        {
          aggregation_timestamp: Math.floor(nowMs / 1000),
          n_requests: 1,
          n_context_tokens_total: 100,
          n_generated_tokens_total: 10,
          total_tokens: 110,
          total_cost: 0.000014,
          period: { start: '2026-01-01T00:00:00.000Z', end: new Date(nowMs).toISOString() },
          months: ['2026-01'],
          breakdown: [{ ...ADA, n_requests: 1, n_context_tokens: 100, n_generated_tokens: 10, cost: 0.000014 }],
          apiKeyBreakdown: [{ keyName: 'alice-key', requests: 1, totalTokens: 110, cost: 0.000014 }],
        },
      ],
    });
  });

  it('sums over two keys, two models and two months agree with the same worked by hand', async () => {
    const second = await app.newKey('alice', 'second');
    // January: ada 100/10 by the first key (14000 nano-USD), blaise 7/3 by the second (1900).
    app.models.play(tokens(100, 10));
    await app.complete();
    app.models.play(tokens(7, 3));
    await app.complete({ model: 'demo-blaise' }, second);
    // February, second key: drafts of ada 20/5 (4000) and blaise 30/6 (5400), blaise's answer 200/50 (40000).
    await app.clock.advance(MONTH_31_DAYS_MS);
    app.models.play((call) => {
      if (call.purpose === 'answer') return tokens(200, 50)(call);
      return call.providerModel === 'demo-ada' ? tokens(20, 5)(call) : tokens(30, 6)(call);
    });
    await app.complete({ model: 'demo-blaise', ai_ensemble: { models: ['demo-ada', 'demo-blaise'] } }, second);

    expect(await record('?start_date=2026-01-01')).toMatchObject({
      n_requests: 3,
      n_context_tokens_total: 357,
      n_generated_tokens_total: 74,
      total_tokens: 431,
      total_cost: 0.0000653,
      breakdown: [
        { ...ADA, n_requests: 2, n_context_tokens: 120, n_generated_tokens: 15, cost: 0.000018 },
        { ...BLAISE, n_requests: 3, n_context_tokens: 237, n_generated_tokens: 59, cost: 0.0000473 },
      ],
      apiKeyBreakdown: [
        { keyName: 'alice-key', requests: 1, totalTokens: 110, cost: 0.000014 },
        { keyName: 'second', requests: 2, totalTokens: 321, cost: 0.0000513 },
      ],
    });
    // The default range is February alone.
    expect(await record()).toMatchObject({
      n_requests: 1,
      n_context_tokens_total: 250,
      n_generated_tokens_total: 61,
      total_tokens: 311,
      total_cost: 0.0000494,
      breakdown: [
        { ...ADA, n_requests: 1, n_context_tokens: 20, n_generated_tokens: 5, cost: 0.000004 },
        { ...BLAISE, n_requests: 2, n_context_tokens: 230, n_generated_tokens: 56, cost: 0.0000454 },
      ],
      apiKeyBreakdown: [{ keyName: 'second', requests: 1, totalTokens: 311, cost: 0.0000494 }],
    });
  });

  it.each([
    ['2026-01-01', '2026-01-02', ['2026-01']],
    ['2026-01-31T23:59:59Z', '2026-02-10', ['2026-01', '2026-02']],
    ['2025-11-30T23:59:59Z', '2026-01-01T00:00:00Z', ['2025-11', '2025-12', '2026-01']],
    ['2025-12-01', '2025-12-31T23:59:59.999Z', undefined],
    ['2026-02-01', '2026-02-28', undefined],
  ])('from %s to %s the months %j are added up, each of them whole', async (start, end, months) => {
    await app.complete();
    const read = await record(`?start_date=${start}&end_date=${end}`);
    expect(read && [read.n_requests, read.months]).toEqual(months && [1, months]);
  });

  it('each user sees only their own, streams too, under all of their keys', async () => {
    const bob = await app.user('bob', 'pro');
    await app.complete();
    await app.complete({ stream: true });
    expect(await record('', bob)).toBeUndefined();
    const second = await app.newKey('alice', 'second');
    expect(await record('', second)).toMatchObject({ n_requests: 2 });
  });

  it('a failed request (500) counts what was billed before it failed', async () => {
    // Blaise drafts for 100/10, then everybody refuses to write the answer; the arbiter had been billed 40 in.
    app.models.play((call) => {
      if (call.purpose === 'draft') return tokens(100, 10)(call);
      if (call.providerModel !== 'demo-ada') return failing('unauthorized');
      return { text: '', usage: { promptTokens: 40, completionTokens: 0 }, fault: new ModelFault('bad_request') };
    });
    expect((await app.complete({ ai_ensemble: { models: ['demo-blaise'] } })).status).toBe(500);
    expect(await record()).toMatchObject({
      n_requests: 1,
      n_context_tokens_total: 140,
      n_generated_tokens_total: 10,
      total_cost: 0.000018,
      breakdown: [
        { model_id: 'demo-ada', n_requests: 1, n_context_tokens: 40, n_generated_tokens: 0 },
        { model_id: 'demo-blaise', n_requests: 1, n_context_tokens: 100, n_generated_tokens: 10 },
      ],
      apiKeyBreakdown: [{ requests: 1, totalTokens: 150 }],
    });
  });

  it.each(['admit', 'readMonths', 'readAccess'] as const)('a store that fails (%s) is a 500', async (method) => {
    const refuse = () => Promise.reject(new Error('disk full'));
    await using broken = await startApp({ wrapStore: (store) => ({ ...store, [method]: refuse }) });
    const { status, body } = await broken.read('/v1/usage');
    expect({ status, body }).toEqual({ status: 500, body: INTERNAL });
  });
});
