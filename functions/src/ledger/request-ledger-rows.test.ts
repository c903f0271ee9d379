import { createCatalog } from '../models/catalog';
import type { ReportedUsage } from '../models/model';
import type { ModelFaultKind } from '../models/model-fault';
import type { CallRow } from './call-row';
import type { LedgerStore } from './ledger-store';
import { type AnnouncedCall, RequestLedger } from './request-ledger';

const { modelOf } = createCatalog();

/** A ledger and what its store was told; checkpoints are answered at once, or with `holds` by the test. */
function setup({ holds = false } = {}) {
  const checkpoints: { rows: readonly CallRow[]; answer: PromiseWithResolvers<void> }[] = [];
  const settled: CallRow[] = [];
  const store: LedgerStore = {
    checkpointEveryMs: 1_000,
    checkpoint: (_, rows) => {
      const answer = Promise.withResolvers<void>();
      checkpoints.push({ rows, answer });
      if (!holds) answer.resolve();
      return answer.promise;
    },
    settle: async ({ calls }) => {
      settled.push(...calls);
      return 'applied';
    },
    abandon: async () => 'applied',
    listExpired: async () => [],
    postpone: async () => {},
    findRecord: async () => undefined,
  };
  const ledger = new RequestLedger(store, 'request', Date.parse('2026-11-01T12:00:00Z'));
  return { ledger, checkpoints, settled };
}

/** gpt-4o-mini costs 150 nano-USD a prompt token and 600 a completion token. */
function announced(callId: string, change: Partial<AnnouncedCall> = {}): AnnouncedCall {
  const call = { model: modelOf('gpt-4o-mini'), seat: 'p1', purpose: 'draft', round: 1, promptTokens: 100 } as const;
  return { callId, ...call, ...change };
}

const NOTHING = { promptTokens: 0, completionTokens: 0, costNanoUsd: 0, estimated: false, outcome: 'aborted' };

describe('the row of a call', () => {
  it('has the searches of the web that its provider told of, at their price, also where it was cut off', async () => {
    const { ledger, checkpoints, settled } = setup();
    ledger.reserve([announced('r1.p1')]);
    const { meter } = await ledger.openAttempt(announced('r1.p1'), 1);
    meter.webSearches = 2;
    await ledger.checkpoint();
    expect(checkpoints.at(-1)?.rows).toEqual([expect.objectContaining({ webSearches: 2, costNanoUsd: 20_015_000 })]);
    await ledger.settle(0);
    // Two of a cent each, and the prompt.
    expect(settled).toEqual([expect.objectContaining({ webSearches: 2, costNanoUsd: 20_015_000, outcome: 'aborted' })]);
    expect(ledger.totals()).toMatchObject({ webSearches: 2, costNanoUsd: 20_015_000 });
  });

  it('says which call of which model it is, and nothing of a key where the platform pays', () => {
    const { ledger } = setup();
    expect(ledger.reserve([announced('r2.p1', { purpose: 'revise', round: 2 })])).toStrictEqual([
      {
        callId: 'r2.p1',
        modelId: 'gpt-4o-mini',
        modelName: modelOf('gpt-4o-mini').name,
        purpose: 'revise',
        round: 2,
        promptTokens: 100,
        completionTokens: 0,
        cachedPromptTokens: 0,
        reasoningTokens: 0,
        estimated: true,
        costNanoUsd: 15_000,
        priced: true,
        outcome: 'open',
        durationMs: 0,
      },
    ]);
  });

  it('says that the user’s own key pays for a model of the router', () => {
    const model = { ...modelOf('my-local-llama'), provider: 'router' } as const;
    expect(setup().ledger.reserve([announced('a', { model })])).toMatchObject([{ ownKey: true, costNanoUsd: 0 }]);
  });

  it('is one for each attempt: the second is listed before it starts', async () => {
    const { ledger, checkpoints, settled } = setup({ holds: true });
    ledger.reserve([announced('a')]);
    const first = await ledger.openAttempt(announced('a'), 1);
    first.close('network', 10);
    const second = ledger.openAttempt(announced('a'), 2);
    expect(checkpoints.map(({ rows }) => rows.map(({ callId, outcome }) => [callId, outcome]))).toEqual([
      [
        ['a', 'failed'],
        ['a#2', 'open'],
      ],
    ]);
    checkpoints[0]?.answer.resolve();
    (await second).close(undefined, 20);
    await ledger.settle(5);
    expect(settled).toMatchObject([
      { callId: 'a', outcome: 'failed', durationMs: 10 },
      { callId: 'a#2', outcome: 'ok', durationMs: 20 },
    ]);
  });

  it('costs nothing when the call is not made after all, whoever says so', async () => {
    const { ledger, settled } = setup();
    ledger.reserve([announced('a'), announced('b')]);
    ledger.cancel('a');
    (await ledger.openAttempt(announced('b'), 1)).cancel();
    ledger.cancel('never announced');
    expect(ledger.totals()).toMatchObject({ promptTokens: 0, costNanoUsd: 0, calls: 0 });
    await ledger.settle(5);
    expect(settled).toMatchObject([
      { callId: 'a', ...NOTHING },
      { callId: 'b', ...NOTHING },
    ]);
  });

  it.each<[string, ModelFaultKind, number, ReportedUsage, number | undefined, object]>([
    [
      'takes a report that covers all the text of a call that was cut off',
      'aborted',
      12,
      { promptTokens: 77, completionTokens: 9 },
      12,
      { promptTokens: 77, completionTokens: 9, estimated: false },
    ],
    [
      'counts the text that came after the report where that is more',
      'aborted',
      400,
      { promptTokens: 77, completionTokens: 9, reasoningTokens: 4 },
      12,
      { promptTokens: 77, completionTokens: 100, reasoningTokens: 4, estimated: true },
    ],
    [
      'keeps what was reported where the text is less',
      'aborted',
      400,
      { promptTokens: 77, completionTokens: 150, cachedPromptTokens: 70 },
      12,
      { promptTokens: 77, completionTokens: 150, cachedPromptTokens: 70, estimated: true },
    ],
    [
      'estimates the reply where only the prompt was reported',
      'aborted',
      12,
      { promptTokens: 77 },
      12,
      { promptTokens: 77, completionTokens: 3, estimated: true },
    ],
    [
      'takes the announced prompt where only the reply was reported',
      'aborted',
      12,
      { completionTokens: 9 },
      12,
      { promptTokens: 100, completionTokens: 9, estimated: true },
    ],
    [
      'bills a call that failed without a word and had reported its prompt',
      'network',
      0,
      { promptTokens: 77 },
      undefined,
      { promptTokens: 77, completionTokens: 0, estimated: true },
    ],
  ])('%s', async (_, fault, characters, usage, reportedAt, expected) => {
    const { ledger, settled } = setup();
    ledger.reserve([announced('a')]);
    const { meter, close } = await ledger.openAttempt(announced('a'), 1);
    Object.assign(meter, {
      characters,
      tokens: Math.ceil(characters / 4),
      usage,
      ...(reportedAt !== undefined && { reportedAt }),
    });
    close(fault, 1);
    await ledger.settle(5);
    expect(settled).toMatchObject([expected]);
  });

  it('says what was written to a cache only where something was', async () => {
    const { ledger, settled } = setup();
    ledger.reserve([announced('a')]);
    const { meter, close } = await ledger.openAttempt(announced('a'), 1);
    meter.usage = { promptTokens: 1, completionTokens: 1, cacheWritePromptTokens: 0 };
    close(undefined, 1);
    await ledger.settle(5);
    expect(settled[0]).not.toHaveProperty('cacheWritePromptTokens');
  });
});

describe('the totals of a request', () => {
  it('add up all counts of all calls', async () => {
    const { ledger } = setup();
    ledger.reserve([announced('a'), announced('b', { seat: 'arbiter' })]);
    for (const [callId, times] of [['a', 1] as const, ['b', 10] as const]) {
      const { meter, close } = await ledger.openAttempt(announced(callId), 1);
      const usage = { promptTokens: 8, completionTokens: 4, cachedPromptTokens: 2, reasoningTokens: 1 };
      meter.usage = Object.fromEntries(Object.entries(usage).map(([name, count]) => [name, count * times]));
      close(undefined, 100 * times);
    }
    // (6 × 150 + 2 × 75 + 4 × 600) nano-USD, and ten times that.
    expect(ledger.totals()).toEqual({
      promptTokens: 88,
      completionTokens: 44,
      cachedPromptTokens: 22,
      reasoningTokens: 11,
      costNanoUsd: 37_950,
      durationMs: 1_100,
      calls: 2,
      unpricedModels: [],
    });
    expect(ledger.totals('arbiter')).toMatchObject({ promptTokens: 80, durationMs: 1_000, calls: 1 });
  });

  it('name each unpriced model once that consumed anything, in order', async () => {
    const { ledger } = setup();
    const unknown = (callId: string, id: string, promptTokens = 1) =>
      announced(callId, { model: modelOf(id), promptTokens });
    ledger.reserve([unknown('1', 'zoo'), unknown('2', 'ape'), unknown('3', 'zoo'), unknown('4', 'idle', 0)]);
    const { meter, close } = await ledger.openAttempt(unknown('5', 'talker'), 1);
    meter.usage = { promptTokens: 1, completionTokens: 9 };
    close(undefined, 1);
    expect(ledger.totals().unpricedModels).toEqual(['ape', 'talker', 'zoo']);
  });
});

describe('checkpoints', () => {
  it('list only what is not listed yet', async () => {
    const { ledger, checkpoints } = setup();
    ledger.reserve([announced('a')]);
    const listing = ledger.announce([announced('a'), announced('b')]);
    expect(checkpoints.map(({ rows }) => rows.map(({ callId }) => callId))).toEqual([['b']]);
    await listing;
    expect(ledger.announce([announced('a'), announced('b')])).toBeUndefined();
  });

  it('say of a running call that its counts are estimates, also where the provider has told them', async () => {
    const { ledger, checkpoints } = setup();
    ledger.reserve([announced('a')]);
    const { meter } = await ledger.openAttempt(announced('a'), 1);
    Object.assign(meter, {
      characters: 40,
      tokens: 10,
      usage: { promptTokens: 77, completionTokens: 9 },
      reportedAt: 40,
    });
    await ledger.checkpoint();
    // 9, and as much again until the next.
    expect(checkpoints[0]?.rows).toMatchObject([{ promptTokens: 77, completionTokens: 18, estimated: true }]);
  });

  it('that fail late do not write again what a later one wrote', async () => {
    const { ledger, checkpoints } = setup({ holds: true });
    ledger.reserve([announced('a')]);
    const { meter, close } = await ledger.openAttempt(announced('a'), 1);
    Object.assign(meter, { characters: 40, tokens: 10 });
    const first = ledger.checkpoint();
    close(undefined, 1);
    const second = ledger.checkpoint();
    checkpoints[1]?.answer.resolve();
    await second;
    checkpoints[0]?.answer.reject(new Error('store away'));
    await expect(first).rejects.toThrow('store away');
    await ledger.checkpoint();
    expect(checkpoints).toHaveLength(2);
  });

  it('say nothing of a call that has not started', async () => {
    const { ledger, checkpoints } = setup();
    ledger.reserve([announced('a')]);
    await ledger.checkpoint();
    expect(checkpoints).toEqual([]);
  });
});
