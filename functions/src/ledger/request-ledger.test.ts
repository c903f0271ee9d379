import { createCatalog } from '../models/catalog';
import type { CallRow } from './call-row';
import type { LedgerStore, Settlement } from './ledger-store';
import { type AnnouncedCall, RequestLedger } from './request-ledger';

const { modelOf } = createCatalog();
const STARTED_AT_MS = Date.parse('2026-11-01T12:00:00Z');

/** Records what reaches the store. */
function recordingStore() {
  const checkpoints: CallRow[][] = [];
  const settlements: Settlement[] = [];
  const store: LedgerStore = {
    checkpointEveryMs: 1_000,
    checkpoint: async (_, calls) => void checkpoints.push([...calls]),
    settle: async (settlement) => {
      settlements.push(settlement);
      return 'applied';
    },
    abandon: async () => 'applied',
    listExpired: async () => [],
    postpone: () => Promise.resolve(),
    findRecord: async () => undefined,
  };
  return { checkpoints, settlements, store, ledger: new RequestLedger(store, 'request', STARTED_AT_MS) };
}

/** gpt-4o-mini costs $0.15 a million prompt tokens, $0.075 cached, $0.60 completion: 150, 75 and 600 nano-USD each. */
function announced(callId: string, seat = 'p1', promptTokens = 100): AnnouncedCall {
  return { callId, model: modelOf('gpt-4o-mini'), seat, purpose: 'draft', round: 1, promptTokens };
}

describe('the ledger of a request', () => {
  it('list a call before it starts, with its estimated prompt', async () => {
    const { ledger, checkpoints } = recordingStore();
    await ledger.announce([announced('a'), announced('b')]);
    expect(checkpoints).toHaveLength(1);
    expect(
      checkpoints[0]?.map(({ callId, outcome, promptTokens, costNanoUsd, estimated }) => [
        callId,
        outcome,
        promptTokens,
        costNanoUsd,
        estimated,
      ]),
    ).toEqual([
      ['a', 'open', 100, 15_000, true],
      ['b', 'open', 100, 15_000, true],
    ]);
  });

  it('write nothing for calls that the reservation carries already', async () => {
    const { ledger, checkpoints } = recordingStore();
    expect(ledger.reserve([announced('a')])).toHaveLength(1);
    expect(ledger.announce([announced('a')])).toBeUndefined();
    await ledger.checkpoint();
    expect(checkpoints).toEqual([]);
  });

  it('take the provider’s last report, pricing the cached part of the prompt once', async () => {
    const { ledger, settlements } = recordingStore();
    ledger.reserve([announced('a')]);
    const { meter, close } = await ledger.openAttempt(announced('a'), 1);
    Object.assign(meter, { characters: 3, tokens: 1 });
    meter.usage = { promptTokens: 1_000, completionTokens: 10, cachedPromptTokens: 400, reasoningTokens: 4 };
    close(undefined, 120);
    await ledger.settle(5);
    // 600 × 150 + 400 × 75 + 10 × 600 nano-USD.
    expect(settlements[0]?.calls[0]).toMatchObject({
      promptTokens: 1_000,
      completionTokens: 10,
      costNanoUsd: 126_000,
      estimated: false,
      priced: true,
      outcome: 'ok',
      durationMs: 120,
    });
    expect(ledger.totals()).toMatchObject({
      promptTokens: 1_000,
      completionTokens: 10,
      cachedPromptTokens: 400,
      reasoningTokens: 4,
      costNanoUsd: 126_000,
      calls: 1,
    });
  });

  it.each([
    ['an answer without a usage report', undefined, 'twelve chars', undefined, 100, 3, true],
    ['a call cut off in the middle', 'aborted', 'twelve chars', undefined, 100, 3, true],
    ['a call that failed in the middle', 'network', 'twelve chars', undefined, 100, 3, true],
    [
      'a cut-off call whose provider had reported its prompt',
      'aborted',
      'twelve chars',
      { promptTokens: 77, completionTokens: 1 },
      77,
      3,
      true,
    ],
    ['an empty answer that was reported', 'empty', '', { promptTokens: 77, completionTokens: 9 }, 77, 9, false],
    ['a call that timed out without a word', 'timeout', '', undefined, 100, 0, true],
    ['a call that was refused', 'rate_limited', '', undefined, 0, 0, false],
  ] as const)('record %s', async (_, fault, text, usage, promptTokens, completionTokens, estimated) => {
    const { ledger, settlements } = recordingStore();
    const { meter, close } = await ledger.openAttempt(announced('a'), 1);
    Object.assign(meter, { characters: text.length, tokens: Math.ceil(text.length / 4) });
    meter.usage = usage;
    close(fault, 1);
    await ledger.settle(5);
    const costNanoUsd = promptTokens * 150 + completionTokens * 600;
    expect(settlements[0]?.calls).toMatchObject([{ promptTokens, completionTokens, estimated, costNanoUsd }]);
  });

  it('checkpoint what a running call is likely to have produced halfway to the next, in absolute values', async () => {
    const { ledger, checkpoints, settlements } = recordingStore();
    ledger.reserve([announced('a')]);
    const { meter } = await ledger.openAttempt(announced('a'), 1);
    Object.assign(meter, { characters: 4, tokens: 1 });
    await ledger.checkpoint();
    Object.assign(meter, { characters: 18, tokens: 5 });
    await ledger.checkpoint();
    // 1 and as much again; 5 and half of the 4 that came since.
    expect(checkpoints.map(([row]) => row?.completionTokens)).toEqual([2, 7]);
    await ledger.settle(5);
    expect(settlements[0]?.calls).toMatchObject([{ completionTokens: 5, costNanoUsd: 100 * 150 + 5 * 600 }]);
  });

  it('settle calls that never ended as aborted, and those that were never made at nothing', async () => {
    const { ledger, settlements } = recordingStore();
    ledger.reserve([announced('a'), announced('b')]);
    await ledger.openAttempt(announced('a'), 1);
    await ledger.settle(5);
    expect(settlements[0]).toMatchObject({
      requestId: 'request',
      state: 'settled',
      settledAtMs: 5,
      calls: [
        { outcome: 'aborted', promptTokens: 100, costNanoUsd: 15_000 },
        { outcome: 'aborted', promptTokens: 0, costNanoUsd: 0, estimated: false },
      ],
    });
  });

  it('sum per seat and in all', () => {
    const { ledger } = recordingStore();
    ledger.reserve([announced('a', 'p1', 1), announced('b', 'p2', 10), announced('c', 'p1', 100)]);
    expect([ledger.totals('p1').promptTokens, ledger.totals('p2').promptTokens, ledger.totals().promptTokens]).toEqual([
      101, 10, 111,
    ]);
  });

  it('price what was written to a cache, and keep how much: 76 at $1.25, 24 at $1', async () => {
    const { ledger, settlements } = recordingStore();
    const { meter, close } = await ledger.openAttempt({ ...announced('a'), model: modelOf('claude-haiku-4-5') }, 1);
    meter.usage = { promptTokens: 100, completionTokens: 0, cacheWritePromptTokens: 76 };
    close(undefined, 5);
    await ledger.settle(5);
    expect(settlements[0]?.calls).toMatchObject([{ cacheWritePromptTokens: 76, costNanoUsd: 119_000 }]);
  });

  it.each([
    // $0.75 a million until the end of 2026, $1.50 from then on.
    ['2026-12-31T23:59:59Z', 75_000],
    ['2027-01-01T00:00:00Z', 150_000],
  ])('price every call of a request as of its start, %s', async (startedAt, costNanoUsd) => {
    const { store, settlements } = recordingStore();
    const ledger = new RequestLedger(store, 'request', Date.parse(startedAt));
    const call = { ...announced('a'), model: modelOf('gemini-3.8-flash') };
    const [reserved] = ledger.reserve([call]);
    const { meter, close } = await ledger.openAttempt(call, 1);
    meter.usage = { promptTokens: 100, completionTokens: 0 };
    close(undefined, 5);
    await ledger.settle(5);
    expect([reserved?.costNanoUsd, settlements[0]?.calls[0]?.costNanoUsd]).toEqual([costNanoUsd, costNanoUsd]);
  });

  it('name models without a known price, whose calls cost 0', () => {
    const { ledger } = recordingStore();
    const unknown = { ...announced('a'), model: modelOf('my-local-llama') };
    expect(ledger.reserve([unknown, announced('b')])[0]).toMatchObject({ costNanoUsd: 0, priced: false });
    expect(ledger.totals().unpricedModels).toEqual(['my-local-llama']);
  });

  it('writes rows again whose checkpoint failed, as they are by then', async () => {
    const { store, checkpoints } = recordingStore();
    let fails = true;
    const faulty: LedgerStore = {
      ...store,
      checkpoint: (...args) => (fails ? Promise.reject(new Error('store away')) : store.checkpoint(...args)),
    };
    const ledger = new RequestLedger(faulty, 'request', STARTED_AT_MS);
    ledger.reserve([announced('a'), announced('b')]);
    const a = await ledger.openAttempt(announced('a'), 1);
    const b = await ledger.openAttempt(announced('b'), 1);
    b.close('not_found', 5);
    Object.assign(a.meter, { characters: 40, tokens: 10 });
    const attempt = ledger.checkpoint();
    Object.assign(a.meter, { characters: 80, tokens: 20 });
    a.close(undefined, 7);
    await expect(attempt).rejects.toThrow('store away');
    fails = false;
    await ledger.checkpoint();
    expect(checkpoints.flat()).toMatchObject([
      { callId: 'a', outcome: 'ok', completionTokens: 20 },
      { callId: 'b', outcome: 'failed', completionTokens: 0 },
    ]);
    await ledger.checkpoint();
    expect(checkpoints).toHaveLength(1);
  });

  it('lists a call anew whose announcement failed, before it is made', async () => {
    const { store, checkpoints } = recordingStore();
    let fails = true;
    const checkpoint: LedgerStore['checkpoint'] = (...args) =>
      fails ? Promise.reject(new Error('store away')) : store.checkpoint(...args);
    const ledger = new RequestLedger({ ...store, checkpoint }, 'request', STARTED_AT_MS);
    await expect(ledger.openAttempt(announced('a'), 1)).rejects.toThrow('store away');
    await expect(ledger.openAttempt(announced('a'), 1)).rejects.toThrow('store away');
    fails = false;
    await ledger.openAttempt(announced('a'), 1);
    expect(checkpoints.flat()).toMatchObject([{ callId: 'a', outcome: 'open' }]);
  });

  it('does not write a call again that has said nothing since', async () => {
    const { ledger, checkpoints } = recordingStore();
    ledger.reserve([announced('a')]);
    const { meter } = await ledger.openAttempt(announced('a'), 1);
    Object.assign(meter, { characters: 40, tokens: 10 });
    // The second takes back what was expected to follow.
    for (let times = 0; times < 5; times += 1) await ledger.checkpoint();
    expect(checkpoints.map(([row]) => row?.completionTokens)).toEqual([20, 10]);
    meter.usage = { promptTokens: 7 };
    await ledger.checkpoint();
    expect(checkpoints).toHaveLength(3);
  });
});
