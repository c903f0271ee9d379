import type { CallRow } from '../../src/ledger/call-row';
import type { Reservation } from '../../src/ledger/ledger-store';
import type { Consumption, UsageLine } from '../../src/ledger/usage-store';
import { callRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

/** `UsageStore`: what settlements add up to. */
export function usageContract(current: CurrentStore): void {
  let count = 0;
  const settled = async (calls: readonly CallRow[], change: Partial<Reservation> = {}) => {
    count += 1;
    const requestId = `request-${count}`;
    const asked = reservation(requestId, change);
    await current().admit(rateLimit(10_000), [asked], T0);
    await current().settle(settlement(asked, calls));
  };
  const march = async () => (await current().readMonths('ada', ['2026-03']))[0];

  it('adds up days of UTC by the start of requests, and counts a line of keys as one, by the name of the last', async () => {
    const next = { keyId: 'key-2', originId: 'key-1', keyName: 'new' };
    await settled([callRow('c', { costNanoUsd: 7 })], { startedAtMs: Date.UTC(2026, 2, 30, 23, 59, 59, 999) });
    await settled([callRow('c', { costNanoUsd: 5 })], next);
    await settled([callRow('c', { costNanoUsd: 6 })], { startedAtMs: T0 + 1 });
    await settled([callRow('c', { costNanoUsd: 8 })], next);
    const { days, keys } = (await march()) ?? {};
    expect(days?.map(({ id, requests, costNanoUsd }) => [id, requests, costNanoUsd])).toEqual([
      ['2026-03-30', 1, 7],
      ['2026-03-31', 3, 19],
    ]);
    expect(keys?.map(({ id, name, requests }) => [id, name, requests])).toEqual([['key-1', 'new', 4]]);
  });

  it('adds up a month, its models and its keys as worked out by hand', async () => {
    const a = (callId: string, promptTokens: number, completionTokens: number, costNanoUsd: number) =>
      callRow(callId, { modelId: 'a', modelName: 'A', promptTokens, completionTokens, costNanoUsd });
    const b = (callId: string, promptTokens: number, completionTokens: number, costNanoUsd: number) =>
      callRow(callId, { modelId: 'b', modelName: 'B', promptTokens, completionTokens, costNanoUsd });
    await settled([a('1', 100, 10, 1_000), a('2', 200, 20, 2_000), b('3', 5, 7, 11)]);
    await settled([b('1', 3, 0, 0), b('2', 0, 0, 13)], { keyId: 'key-2', keyName: 'server' });
    await settled([a('1', 1, 1, 1)]);
    expect(await march()).toEqual({
      month: '2026-03',
      requests: 3,
      promptTokens: 309,
      completionTokens: 38,
      costNanoUsd: 3_025,
      models: [
        { id: 'a', name: 'A', requests: 3, promptTokens: 301, completionTokens: 31, costNanoUsd: 3_001 },
        { id: 'b', name: 'B', requests: 3, promptTokens: 8, completionTokens: 7, costNanoUsd: 24 },
      ],
      keys: [
        { id: 'key-1', name: 'laptop', requests: 2, promptTokens: 306, completionTokens: 38, costNanoUsd: 3_012 },
        { id: 'key-2', name: 'server', requests: 1, promptTokens: 3, completionTokens: 0, costNanoUsd: 13 },
      ],
      days: [
        {
          ...{ id: '2026-03-31', name: '2026-03-31' },
          ...{ requests: 3, promptTokens: 309, completionTokens: 38, costNanoUsd: 3_025 },
        },
      ],
    });
  });

  it('keeps a line of its own for every model id, however odd, and its exact sums over two requests', async () => {
    const ofObjects = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__name__', '__id7__', 'length'];
    const marks = ['', ' ', '\t', '\u200b', '.', '..', '/', '//', '`', '*', '~', '[]', "'", '"', '\\', '\0', '__x__'];
    const named = ['a.b', 'a/b', 'A.B', 'owner/model:free', '🦉 owl', 'é', 'e\u0301', "'; DROP TABLE months; --"];
    const ids = [...ofObjects, ...marks, ...named, 'x'.repeat(200), '模'.repeat(200), 'tab\tnew\nline'];
    const calls = ids.map((id, index) => callRow(`c${index}`, { modelId: id, modelName: id, costNanoUsd: index + 1 }));
    await settled(calls);
    await settled(calls);
    const expected = ids.map((id, index) => [id, { ...line(id, 2), costNanoUsd: 2 * (index + 1) }]);
    expect(new Map((await march())?.models.map((model) => [model.id, model]))).toEqual(new Map(expected as []));
  });

  it('keeps 200 models of a month apart and adds up the rest exactly in one line', async () => {
    for (let request = 0; request < 30; request += 1) {
      await settled(
        Array.from({ length: 100 }, (_, index) => {
          const id = `owner-${request}/model.${index}`;
          return callRow(`c${index}`, { modelId: id, modelName: id, costNanoUsd: request * 100 + index });
        }),
      );
    }
    const month = await march();
    // 0 + 1 + … + 2999 = 4,498,500
    const sums = { promptTokens: 30_000, completionTokens: 60_000, costNanoUsd: 4_498_500 };
    expect(month).toMatchObject({ requests: 30, ...sums });
    expect(month?.models).toHaveLength(201);
    expect(sumOf(month?.models)).toEqual({ requests: 3_000, ...sums });
    // The first 200 have 0 + 1 + … + 199 = 19,900 of it.
    const others = { requests: 2_800, promptTokens: 28_000, completionTokens: 56_000, costNanoUsd: 4_478_600 };
    expect(month?.models[0]).toEqual({ id: 'other', name: 'Other models', ...others });
    expect(month?.models[1]).toMatchObject({ id: 'owner-1/model.99', requests: 1, costNanoUsd: 199 });
    expect(month?.keys).toHaveLength(1);
    await settled([callRow('c', { modelId: 'owner-1/model.99', modelName: 'A new name', costNanoUsd: 1 })]);
    expect((await march())?.models[1]).toMatchObject({ name: 'A new name', requests: 2, costNanoUsd: 200 });
  });

  it('lets 40 requests at once, each with ten models of its own, list exactly 200', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, request) =>
        settled(Array.from({ length: 10 }, (_, index) => callRow(`c${index}`, { modelId: `${request}/${index}` }))),
      ),
    );
    const models = (await march())?.models ?? [];
    expect(models).toHaveLength(201);
    expect(models[0]).toMatchObject({ id: 'other', requests: 200, costNanoUsd: 60_000 });
    expect(models.slice(1).every(({ requests }) => requests === 1)).toBe(true);
  });

  it('counts a request in the month it was reserved for, whenever it is settled', async () => {
    await current().admit(rateLimit(5), [reservation('r', { month: '2026-03' })], T0);
    await current().settle(settlement('r', [callRow('a')], { settledAtMs: Date.UTC(2026, 3, 1, 0, 5) }));
    const months = await current().readMonths('ada', ['2026-03', '2026-04']);
    expect(months.map(({ month }) => month)).toEqual(['2026-03']);
  });

  it('reads the months that exist, of those asked for, in the order asked', async () => {
    for (const month of ['2025-12', '2026-01', '2026-03']) await settled([callRow('a')], { month });
    const asked = ['2026-03', '2026-02', '2025-12'];
    expect((await current().readMonths('ada', asked)).map(({ month }) => month)).toEqual(['2026-03', '2025-12']);
    expect(await current().readMonths('ada', [])).toEqual([]);
  });
}

/** A line of `requests` calls as `callRow` makes them. */
function line(id: string, requests: number): UsageLine {
  return { id, name: id, requests, promptTokens: 10 * requests, completionTokens: 20 * requests, costNanoUsd: 0 };
}

function sumOf(parts: readonly Consumption[] = []): Consumption {
  const sum = (of: (part: Consumption) => number) => parts.reduce((total, part) => total + of(part), 0);
  return {
    requests: sum((part) => part.requests),
    promptTokens: sum((part) => part.promptTokens),
    completionTokens: sum((part) => part.completionTokens),
    costNanoUsd: sum((part) => part.costNanoUsd),
  };
}
