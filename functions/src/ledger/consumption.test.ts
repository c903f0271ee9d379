import { callRow } from '../../test/support/store-records';
import { addUp, assertCounts, capLines, consumptionOf, mergeLines } from './consumption';

const MAX = Number.MAX_SAFE_INTEGER;
const line = (id: string, change: object = {}) => {
  return { id, name: id, requests: 1, promptTokens: 0, completionTokens: 0, costNanoUsd: 0, ...change };
};

describe('consumptionOf', () => {
  it('adds up all calls and gives each model its own line with its newest name', () => {
    const calls = [
      callRow('1', { modelId: 'a', modelName: 'A', promptTokens: 1, completionTokens: 2, costNanoUsd: 3 }),
      callRow('2', { modelId: '__proto__', modelName: 'B', promptTokens: 10, completionTokens: 20, costNanoUsd: 30 }),
      callRow('3', { modelId: 'a', modelName: 'A2', promptTokens: 100, completionTokens: 200, costNanoUsd: 300 }),
      callRow('4', { modelId: 'refused', promptTokens: 0, completionTokens: 0, costNanoUsd: 0 }),
    ];
    expect(consumptionOf(calls)).toEqual({
      total: { requests: 1, promptTokens: 111, completionTokens: 222, costNanoUsd: 333 },
      platformTokens: 333,
      models: [
        { id: 'a', name: 'A2', requests: 2, promptTokens: 101, completionTokens: 202, costNanoUsd: 303 },
        { id: '__proto__', name: 'B', requests: 1, promptTokens: 10, completionTokens: 20, costNanoUsd: 30 },
      ],
    });
  });

  it.each(['promptTokens', 'completionTokens', 'costNanoUsd'])(
    'gives a line to a call that consumed only %s',
    (count) => {
      const nothing = { promptTokens: 0, completionTokens: 0, costNanoUsd: 0 };
      expect(consumptionOf([callRow('1', { ...nothing, [count]: 1 })]).models).toMatchObject([
        { requests: 1, [count]: 1 },
      ]);
      expect(consumptionOf([])).toMatchObject({ total: { requests: 1, ...nothing }, models: [] });
    },
  );

  it('counts for a grant the tokens of calls that no key of the user paid for', () => {
    const own = callRow('2', { promptTokens: 1_000, completionTokens: 1_000, ownKey: true });
    expect(consumptionOf([callRow('1', { promptTokens: 3, completionTokens: 4 }), own]).platformTokens).toBe(7);
    expect(consumptionOf([callRow('1', { promptTokens: MAX, completionTokens: 1 })]).platformTokens).toBe(MAX);
  });

  it('refuses a sum that a number cannot hold exactly', () => {
    const huge = callRow('1', { costNanoUsd: MAX });
    expect(() => consumptionOf([huge, callRow('2', { costNanoUsd: 1 })])).toThrow(
      new RangeError('sum of counts is too large: 9007199254740992'),
    );
    expect(consumptionOf([huge]).total.costNanoUsd).toBe(MAX);
  });
});

describe('assertCounts', () => {
  const tokens = ['promptTokens', 'completionTokens', 'cachedPromptTokens', 'cacheWritePromptTokens'] as const;
  const counts = [...tokens, 'reasoningTokens', 'webSearches', 'costNanoUsd'] as const;

  it.each(counts)('refuses %s that is no count, and names the call', (count) => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 2 ** 53]) {
      const message = `call bad: ${count} is not a count: ${value}`;
      expect(() => assertCounts([callRow('ok'), callRow('bad', { [count]: value })])).toThrow(new RangeError(message));
    }
    expect(() => assertCounts([callRow('a'), callRow('b', { [count]: MAX, durationMs: -1.5 })])).not.toThrow();
  });

  it('refuses a duration that is not a number', () => {
    const attempt = () => assertCounts([callRow('r1.p2', { durationMs: Number.NaN })]);
    expect(attempt).toThrow(new RangeError('call r1.p2: no duration: NaN'));
  });
});

describe('lines', () => {
  it('come costliest first, then with the most tokens of both kinds, then by id', () => {
    const sorted = [
      line('dear', { costNanoUsd: 2 }),
      line('m', { costNanoUsd: 1, promptTokens: 1, completionTokens: 9 }),
      line('n', { costNanoUsd: 1, promptTokens: 7, completionTokens: 2 }),
      line('k', { costNanoUsd: 1, promptTokens: 8 }),
      line('a'),
      line('b'),
    ];
    expect(mergeLines(sorted.toReversed())).toEqual(sorted);
  });

  it('of several months are merged, those of models and those of keys', () => {
    const month = (cost: number) => {
      const [model, key] = [line('m', { costNanoUsd: cost }), line('k', { costNanoUsd: cost })];
      return { requests: 1, promptTokens: 3, completionTokens: 4, costNanoUsd: cost, models: [model], keys: [key] };
    };
    expect(addUp([month(1), month(2)])).toEqual({
      ...{ requests: 2, promptTokens: 6, completionTokens: 8, costNanoUsd: 3 },
      models: [line('m', { requests: 2, costNanoUsd: 3 })],
      keys: [line('k', { requests: 2, costNanoUsd: 3 })],
    });
  });

  it.each([
    ['199 are listed: one more, and the rest as one', 199, ['a', 'b', 'c'], { a: 1, other: 2 }],
    ['30,000 are listed', 30_000, ['new', 'listed-7'], { other: 1, 'listed-7': 1 }],
    ['none is listed, and one is called "other"', 0, ['other', 'a'], { other: 1, a: 1 }],
  ])('are capped at 200 where %s', (_, count, ids, requests) => {
    const listed = new Set(Array.from({ length: count }, (_element, index) => `listed-${index}`));
    const capped = capLines(
      ids.map((id) => line(id)),
      listed,
      'Other models',
    );
    expect(Object.fromEntries(capped.map(({ id, requests: counted }) => [id, counted]))).toEqual(requests);
    expect(capped.find(({ id }) => id === 'other')?.name).toBe('Other models');
  });
});
