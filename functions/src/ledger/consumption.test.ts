import { callRow } from '../../test/support/store-records';
import { addUp, assertCounts, consumptionOf, linesById, mergeLines } from './consumption';

describe('consumptionOf', () => {
  it('adds up all calls and gives each model its own line with its newest name', () => {
    const calls = [
      callRow('1', { modelId: 'a', modelName: 'A', promptTokens: 1, completionTokens: 2, costNanoUsd: 3 }),
      callRow('2', { modelId: 'b', modelName: 'B', promptTokens: 10, completionTokens: 20, costNanoUsd: 30 }),
      callRow('3', { modelId: 'a', modelName: 'A (new)', promptTokens: 100, completionTokens: 200, costNanoUsd: 300 }),
    ];
    expect(consumptionOf(calls)).toEqual({
      total: { requests: 1, promptTokens: 111, completionTokens: 222, costNanoUsd: 333 },
      platformTokens: 333,
      models: [
        { id: 'a', name: 'A (new)', requests: 2, promptTokens: 101, completionTokens: 202, costNanoUsd: 303 },
        { id: 'b', name: 'B', requests: 1, promptTokens: 10, completionTokens: 20, costNanoUsd: 30 },
      ],
    });
  });

  it('counts for a grant the tokens of calls that no key of the user paid for', () => {
    const own = callRow('2', { promptTokens: 1_000, completionTokens: 1_000, ownKey: true });
    expect(consumptionOf([callRow('1', { promptTokens: 3, completionTokens: 4 }), own]).platformTokens).toBe(7);
    const huge = callRow('1', { promptTokens: Number.MAX_SAFE_INTEGER, completionTokens: 1 });
    expect(consumptionOf([huge]).platformTokens).toBe(Number.MAX_SAFE_INTEGER);
  });

  it('counts one request without model lines when nothing was consumed', () => {
    const nothing = { requests: 1, promptTokens: 0, completionTokens: 0, costNanoUsd: 0 };
    const refused = callRow('1', { promptTokens: 0, completionTokens: 0, costNanoUsd: 0 });
    expect(consumptionOf([])).toEqual({ total: nothing, platformTokens: 0, models: [] });
    expect(consumptionOf([refused])).toEqual({ total: nothing, platformTokens: 0, models: [] });
  });

  it.each([
    ['promptTokens', { promptTokens: 1, completionTokens: 0, costNanoUsd: 0 }],
    ['completionTokens', { promptTokens: 0, completionTokens: 1, costNanoUsd: 0 }],
    ['cost', { promptTokens: 0, completionTokens: 0, costNanoUsd: 1 }],
  ])('gives a line to a call that consumed only %s', (_, change) => {
    expect(consumptionOf([callRow('1', change)]).models).toMatchObject([{ requests: 1, ...change }]);
  });

  it('keeps __proto__ and the empty id as models of their own', () => {
    const ids = ['__proto__', '', 'constructor'];
    const { models } = consumptionOf(ids.map((id) => callRow(id, { modelId: id })));
    expect(models.map(({ id }) => id)).toEqual(ids);
  });

  it('refuses a sum that a number cannot hold exactly', () => {
    const huge = callRow('1', { costNanoUsd: Number.MAX_SAFE_INTEGER });
    expect(() => consumptionOf([huge, callRow('2', { costNanoUsd: 1 })])).toThrow(
      new RangeError('sum of counts is too large: 9007199254740992'),
    );
    expect(consumptionOf([huge]).total.costNanoUsd).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('assertCounts', () => {
  const counts = [
    'promptTokens',
    'completionTokens',
    'cachedPromptTokens',
    'cacheWritePromptTokens',
    'reasoningTokens',
    'costNanoUsd',
  ] as const;
  const bad = [Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 2 ** 53];

  it.each(counts.flatMap((count) => bad.map((value) => [count, value] as const)))(
    'refuses %s of %d',
    (count, value) => {
      expect(() => assertCounts([callRow('ok'), callRow('bad', { [count]: value })])).toThrow(RangeError);
    },
  );

  it('takes a call of which nothing is told of writes to a cache, and counts up to 2^53 - 1', () => {
    const most = Object.fromEntries(counts.map((count) => [count, Number.MAX_SAFE_INTEGER]));
    expect(() => assertCounts([callRow('a'), callRow('b', most)])).not.toThrow();
  });

  it('names the call and what is wrong with it', () => {
    const message = (change: object) => {
      try {
        assertCounts([callRow('r1.p2', change)]);
      } catch (error) {
        return (error as Error).message;
      }
      return undefined;
    };
    expect(message({ costNanoUsd: -1 })).toBe('call r1.p2: costNanoUsd is not a count: -1');
    expect(message({ durationMs: Number.NaN })).toBe('call r1.p2: no duration: NaN');
  });

  it('refuses a duration that is not a number and takes any that is', () => {
    expect(() => assertCounts([callRow('a', { durationMs: Number.NaN })])).toThrow(RangeError);
    expect(() => assertCounts([callRow('a', { durationMs: 1.5 }), callRow('b', { durationMs: -1 })])).not.toThrow();
  });
});

describe('lines', () => {
  const line = (id: string, change: object = {}) => {
    return { id, name: id, requests: 1, promptTokens: 0, completionTokens: 0, costNanoUsd: 0, ...change };
  };

  it('are one for each id, with its sums and its last name, in the order the ids came', () => {
    const lines = [line('b', { name: 'old', costNanoUsd: 1 }), line('a'), line('b', { name: 'new', promptTokens: 2 })];
    expect(linesById(lines)).toEqual([
      line('b', { name: 'new', requests: 2, costNanoUsd: 1, promptTokens: 2 }),
      line('a'),
    ]);
  });

  it('come costliest first, then with the most tokens of both kinds, then by id', () => {
    const sorted = [
      line('dear', { costNanoUsd: 2 }),
      line('m', { costNanoUsd: 1, promptTokens: 1, completionTokens: 9 }),
      line('n', { costNanoUsd: 1, promptTokens: 7, completionTokens: 2 }),
      line('k', { costNanoUsd: 1, promptTokens: 8 }),
      line('a'),
      line('b'),
      line('c'),
    ];
    const idsOf = (lines: typeof sorted) => mergeLines(lines).map(({ id }) => id);
    expect(idsOf(sorted)).toEqual(['dear', 'm', 'n', 'k', 'a', 'b', 'c']);
    expect(idsOf(sorted.toReversed())).toEqual(['dear', 'm', 'n', 'k', 'a', 'b', 'c']);
  });

  it('of several months are merged, those of models and those of keys', () => {
    const month = (cost: number) => {
      const [model, key] = [line('m', { costNanoUsd: cost }), line('k', { costNanoUsd: cost })];
      return { requests: 1, promptTokens: 3, completionTokens: 4, costNanoUsd: cost, models: [model], keys: [key] };
    };
    expect(addUp([month(1), month(2)])).toEqual({
      requests: 2,
      promptTokens: 6,
      completionTokens: 8,
      costNanoUsd: 3,
      models: [line('m', { requests: 2, costNanoUsd: 3 })],
      keys: [line('k', { requests: 2, costNanoUsd: 3 })],
    });
    const nothing = { requests: 0, promptTokens: 0, completionTokens: 0, costNanoUsd: 0, models: [], keys: [] };
    expect(addUp([])).toEqual(nothing);
  });
});
