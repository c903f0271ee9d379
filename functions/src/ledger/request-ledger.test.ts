import { reservation } from '../../test/support/store-records';
import { createCatalog } from '../models/catalog';
import type { ReportedUsage } from '../models/model';
import type { ModelFaultKind } from '../models/model-fault';
import type { CallRow } from './call-row';
import type { LedgerStore } from './ledger-store';
import { type AnnouncedCall, RequestLedger } from './request-ledger';

const { modelOf } = createCatalog();
const NOVEMBER_MS = Date.parse('2026-11-01T12:00:00Z');

/** A ledger and what its store was told; checkpoints are answered at once, or with `holds` by the test. */
function setup({ holds = false, startedAtMs = NOVEMBER_MS } = {}) {
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
  const ledger = new RequestLedger(store, reservation('request', { startedAtMs }));
  const fail = (at: number) => checkpoints[at]?.answer.reject(new Error('store away'));
  const rows = () => checkpoints.map((checkpoint) => checkpoint.rows);
  return { ledger, checkpoints, settled, fail, rows };
}

/** gpt-4o-mini costs 150 nano-USD a prompt token, 75 where it is cached, and 600 a completion token. */
function announced(callId: string, change: Partial<AnnouncedCall> = {}): AnnouncedCall {
  const call = { model: modelOf('gpt-4o-mini'), seat: 'p1', purpose: 'draft', round: 1, promptTokens: 100 } as const;
  return { callId, ...call, ...change };
}

describe('the row of a call', () => {
  it('says which call of which model it is, and nothing of a key where the platform pays', () => {
    expect(setup().ledger.reserve([announced('r2.p1', { purpose: 'revise', round: 2 })])).toStrictEqual([
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
    const { ledger, rows, checkpoints, settled } = setup({ holds: true });
    ledger.reserve([announced('a')]);
    (await ledger.openAttempt(announced('a'), 1)).close('network', 10);
    const second = ledger.openAttempt(announced('a'), 2);
    expect(rows()).toMatchObject([
      [
        { callId: 'a', outcome: 'failed' },
        { callId: 'a#2', outcome: 'open' },
      ],
    ]);
    checkpoints[0]?.answer.resolve();
    (await second).close(undefined, 20);
    await ledger.settle(5, 'complete');
    expect(settled).toMatchObject([
      { callId: 'a', outcome: 'failed', durationMs: 10 },
      { callId: 'a#2', outcome: 'ok', durationMs: 20 },
    ]);
  });

  it('is an aborted one of a call that never ended, at nothing where the call was not made after all', async () => {
    const { ledger, settled } = setup();
    ledger.reserve(['a', 'b', 'c', 'd'].map((callId) => announced(callId)));
    ledger.cancel('a');
    (await ledger.openAttempt(announced('b'), 1)).cancel();
    ledger.cancel('never announced');
    expect(ledger.totals()).toMatchObject({ promptTokens: 200, calls: 0 });
    await ledger.openAttempt(announced('d'), 1);
    await ledger.settle(5, 'complete');
    const nothing = { promptTokens: 0, completionTokens: 0, costNanoUsd: 0, estimated: false, outcome: 'aborted' };
    const open = { outcome: 'aborted', promptTokens: 100, costNanoUsd: 15_000 };
    expect(settled).toMatchObject([nothing, nothing, nothing, open]);
  });

  it.each<[string, ModelFaultKind | undefined, number, ReportedUsage | undefined, number | undefined, object, number?]>(
    [
      ['an answer without a report', undefined, 12, undefined, undefined, [100, 3, true, 'ok']],
      ['an answer as reported', undefined, 3, { promptTokens: 90, completionTokens: 10 }, 1, [90, 10, false, 'ok']],
      ['a call cut off in the middle', 'aborted', 12, undefined, undefined, [100, 3, true, 'aborted']],
      ['an endless one', 'output_too_long', 12, undefined, undefined, [100, 3, true, 'aborted']],
      ['a call that failed in the middle', 'network', 12, undefined, undefined, [100, 3, true, 'failed']],
      ['an empty answer', 'empty', 0, { promptTokens: 77, completionTokens: 9 }, 0, [77, 9, false, 'failed']],
      ['a timeout without a word', 'timeout', 0, undefined, undefined, [100, 0, true, 'aborted']],
      ['a refused call', 'rate_limited', 0, undefined, undefined, [0, 0, false, 'failed']],
      ['a report that covers all', 'aborted', 12, { promptTokens: 77, completionTokens: 9 }, 3, [77, 9, false]],
      ['text after the report', 'aborted', 400, { promptTokens: 77, completionTokens: 9 }, 3, [77, 100, true]],
      ['less text than reported', 'aborted', 400, { promptTokens: 77, completionTokens: 150 }, 3, [77, 150, true]],
      ['a report of the prompt', 'aborted', 12, { promptTokens: 77 }, 3, [77, 3, true]],
      ['a report of the reply', 'aborted', 12, { completionTokens: 9 }, 3, [100, 9, true]],
      [
        'regression: thoughts behind a report',
        'aborted',
        0,
        { promptTokens: 77, completionTokens: 1 },
        0,
        [77, 50, true],
        50,
      ],
      ['regression: thoughts, then a failure', 'network', 0, undefined, undefined, [100, 50, true], 50],
      ['a failure after a report of the prompt', 'network', 0, { promptTokens: 77 }, undefined, [77, 0, true]],
    ],
  )('records %s', async (_, fault, characters, usage, reportedAt, expected, tokens = Math.ceil(characters / 4)) => {
    const { ledger, settled } = setup();
    const { meter, close } = await ledger.openAttempt(announced('a'), 1);
    Object.assign(meter, { characters, tokens, usage, ...(reportedAt !== undefined && { reportedAt }) });
    close(fault, 1);
    await ledger.settle(5, 'complete');
    const [promptTokens, completionTokens, estimated, outcome = expect.any(String)] = expected as unknown[];
    const costNanoUsd = Number(promptTokens) * 150 + Number(completionTokens) * 600;
    expect(settled).toMatchObject([{ promptTokens, completionTokens, estimated, outcome, costNanoUsd }]);
  });

  it.each([
    // Two of a cent each, and the prompt.
    ['searches of the web', 'gpt-4o-mini', undefined, 2, { webSearches: 2, costNanoUsd: 20_015_000 }],
    // 600 × 150 + 400 × 75 + 10 × 600.
    [
      'a cached prompt',
      'gpt-4o-mini',
      { promptTokens: 1_000, completionTokens: 10, cachedPromptTokens: 400 },
      0,
      { cachedPromptTokens: 400, costNanoUsd: 126_000 },
    ],
    // 76 at $1.25, 24 at $1.
    [
      'writes to a cache',
      'claude-haiku-4-5',
      { promptTokens: 100, completionTokens: 0, cacheWritePromptTokens: 76 },
      0,
      { cacheWritePromptTokens: 76, costNanoUsd: 119_000 },
    ],
  ])('prices %s', async (_, model, usage, webSearches, expected) => {
    const { ledger, settled } = setup();
    const call = announced('a', { model: modelOf(model) });
    const { meter, close } = await ledger.openAttempt(call, 1);
    Object.assign(meter, { usage, webSearches });
    close(usage ? undefined : 'aborted', 1);
    expect(ledger.totals().costNanoUsd).toBe(expected.costNanoUsd);
    await ledger.settle(5, 'complete');
    expect(settled).toMatchObject([expected]);
    if (!usage) expect(settled[0]).not.toHaveProperty('cacheWritePromptTokens');
  });

  it.each([
    // $0.75 a million until the end of 2026, $1.50 from then on.
    ['2026-12-31T23:59:59Z', 75_000],
    ['2027-01-01T00:00:00Z', 150_000],
  ])('is priced as of the start of its request, %s', async (startedAt, costNanoUsd) => {
    const { ledger, settled } = setup({ startedAtMs: Date.parse(startedAt) });
    const call = announced('a', { model: modelOf('gemini-3.8-flash') });
    const [reserved] = ledger.reserve([call]);
    await ledger.openAttempt(call, 1);
    await ledger.settle(5, 'complete');
    expect([reserved?.costNanoUsd, settled[0]?.costNanoUsd]).toEqual([costNanoUsd, costNanoUsd]);
  });
});

describe('the totals of a request', () => {
  it('add up all counts of all calls, or of one seat', async () => {
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

  it('name each unpriced model once that consumed anything, in order', () => {
    const { ledger } = setup();
    const unknown = (callId: string, id: string, promptTokens = 1) =>
      announced(callId, { model: modelOf(id), promptTokens });
    ledger.reserve([unknown('1', 'zoo'), unknown('2', 'ape'), unknown('3', 'zoo'), unknown('4', 'idle', 0)]);
    expect(ledger.totals()).toMatchObject({ costNanoUsd: 0, unpricedModels: ['ape', 'zoo'] });
  });
});

describe('checkpoints', () => {
  it('list calls that neither the reservation nor an earlier one carries, before they start', async () => {
    const { ledger, rows } = setup();
    ledger.reserve([announced('a')]);
    await ledger.checkpoint();
    const listing = ledger.announce([announced('a'), announced('b')]);
    expect(rows()).toMatchObject([[{ callId: 'b', outcome: 'open', costNanoUsd: 15_000, estimated: true }]]);
    await listing;
    expect(ledger.announce([announced('a'), announced('b')])).toBeUndefined();
  });

  it('hold what a running call is likely to have produced halfway to the next', async () => {
    const { ledger, rows } = setup();
    ledger.reserve([announced('a')]);
    const { meter } = await ledger.openAttempt(announced('a'), 1);
    for (const tokens of [1, 5, 5, 5]) {
      Object.assign(meter, { characters: 4 * tokens, tokens });
      await ledger.checkpoint();
    }
    // 1 and as much again; 5 and half of the 4 that came since; then nothing came.
    expect(rows()).toMatchObject([2, 7, 5].map((completionTokens) => [{ completionTokens, estimated: true }]));
    Object.assign(meter, { usage: { promptTokens: 77, completionTokens: 9 }, reportedAt: 5 });
    await ledger.checkpoint();
    expect(rows().at(-1)).toMatchObject([{ promptTokens: 77, completionTokens: 11, estimated: true }]);
  });

  it('that failed are written again, as rows are by then', async () => {
    const { ledger, checkpoints, rows, fail } = setup({ holds: true });
    ledger.reserve([announced('a'), announced('b')]);
    const [a, b] = [await ledger.openAttempt(announced('a'), 1), await ledger.openAttempt(announced('b'), 1)];
    b.close('not_found', 5);
    Object.assign(a.meter, { characters: 40, tokens: 10 });
    const attempt = ledger.checkpoint();
    Object.assign(a.meter, { characters: 80, tokens: 20 });
    a.close(undefined, 7);
    fail(0);
    await expect(attempt).rejects.toThrow('store away');
    const again = ledger.checkpoint();
    checkpoints[1]?.answer.resolve();
    await again;
    expect(rows()[1]).toMatchObject([
      { callId: 'a', outcome: 'ok', completionTokens: 20 },
      { callId: 'b', outcome: 'failed', completionTokens: 0 },
    ]);
    await ledger.checkpoint();
    expect(checkpoints).toHaveLength(2);
  });

  it('follow one another, and what comes while one is under way goes along in the next', async () => {
    const { ledger, checkpoints, rows } = setup({ holds: true });
    const first = ledger.announce([announced('a')]);
    const later = [ledger.announce([announced('b')]), ledger.announce([announced('c')])];
    later.push(first?.then(() => ledger.checkpoint()));
    expect(checkpoints).toHaveLength(1);
    checkpoints[0]?.answer.resolve();
    await first;
    await new Promise(setImmediate);
    for (const { answer } of checkpoints) answer.resolve();
    await Promise.all(later);
    expect(rows()).toMatchObject([[{ callId: 'a' }], [{ callId: 'b' }, { callId: 'c' }]]);
  });

  it('that cannot list a call keep it from being made', async () => {
    const { ledger, checkpoints, rows, fail } = setup({ holds: true });
    for (const at of [0, 1]) {
      const opening = Promise.resolve(ledger.openAttempt(announced('a'), 1));
      fail(at);
      await expect(opening).rejects.toThrow('store away');
    }
    const opening = ledger.openAttempt(announced('a'), 1);
    checkpoints[2]?.answer.resolve();
    await opening;
    expect(rows()[2]).toMatchObject([{ callId: 'a', outcome: 'open' }]);
  });
});
