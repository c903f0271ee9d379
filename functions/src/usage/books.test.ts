import { createCatalog } from '../models/catalog';
import type { LedgerStore, Settlement } from '../store/store';
import { Books, type PlannedCall } from './books';
import type { CallRow } from './call-row';

const { modelOf } = createCatalog();
const STARTED_AT_MS = Date.parse('2026-11-01T12:00:00Z');

/** Records what reaches the store. */
function recordingStore() {
  const checkpoints: CallRow[][] = [];
  const settlements: Settlement[] = [];
  const store: LedgerStore = {
    checkpoint: async (_, calls) => void checkpoints.push([...calls]),
    settle: async (settlement) => {
      settlements.push(settlement);
      return 'applied';
    },
    listExpired: async () => [],
    findRecord: async () => undefined,
  };
  return { checkpoints, settlements, store, books: new Books(store, 'request', STARTED_AT_MS) };
}

/** gpt-4o-mini costs $0.15 a million prompt tokens, $0.075 cached, $0.60 completion: 150, 75 and 600 nano-USD each. */
function plan(callId: string, seat = 'p1', promptTokens = 100): PlannedCall {
  return { callId, model: modelOf('gpt-4o-mini'), seat, purpose: 'draft', round: 1, promptTokens };
}

describe('the books of a request', () => {
  it('list a call before it starts, with its estimated prompt', async () => {
    const { books, checkpoints } = recordingStore();
    await books.plan([plan('a'), plan('b')]);
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
    const { books, checkpoints } = recordingStore();
    expect(books.reserve([plan('a')])).toHaveLength(1);
    expect(books.plan([plan('a')])).toBeUndefined();
    await books.checkpoint();
    expect(checkpoints).toEqual([]);
  });

  it('take the provider’s last report, pricing the cached part of the prompt once', async () => {
    const { books, settlements } = recordingStore();
    books.reserve([plan('a')]);
    const meter = books.meter('a');
    meter.text = 'yes';
    meter.usage = { promptTokens: 1_000, completionTokens: 10, cachedPromptTokens: 400, reasoningTokens: 4 };
    books.close('a', 'ok', 120);
    await books.settle(5);
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
    expect(books.totals()).toMatchObject({
      promptTokens: 1_000,
      completionTokens: 10,
      cachedPromptTokens: 400,
      reasoningTokens: 4,
      costNanoUsd: 126_000,
      calls: 1,
    });
  });

  it.each([
    ['an answer without a usage report', 'ok', 'twelve chars', undefined, 100, 3, true],
    ['a call cut off in the middle', 'aborted', 'twelve chars', undefined, 100, 3, true],
    ['a call that failed in the middle', 'failed', 'twelve chars', undefined, 100, 3, true],
    [
      'a cut-off call whose provider had reported its prompt',
      'aborted',
      'twelve chars',
      { promptTokens: 77, completionTokens: 1 },
      77,
      3,
      true,
    ],
    ['an empty answer that was reported', 'failed', '', { promptTokens: 77, completionTokens: 9 }, 77, 9, false],
    ['a call that timed out without a word', 'aborted', '', undefined, 100, 0, true],
    ['a call that was refused', 'failed', '', undefined, 0, 0, false],
  ] as const)('book %s', (_, outcome, text, usage, promptTokens, completionTokens, estimated) => {
    const { books } = recordingStore();
    books.reserve([plan('a')]);
    const meter = books.meter('a');
    meter.text = text;
    meter.usage = usage;
    const costNanoUsd = promptTokens * 150 + completionTokens * 600;
    expect(books.close('a', outcome, 1)).toMatchObject({ promptTokens, completionTokens, estimated, costNanoUsd });
  });

  it('checkpoint what a running call has produced so far, in absolute values', async () => {
    const { books, checkpoints } = recordingStore();
    books.reserve([plan('a')]);
    books.meter('a').text = 'four';
    await books.checkpoint();
    books.meter('a').text = 'four and more text';
    await books.checkpoint();
    expect(checkpoints.map(([row]) => row?.completionTokens)).toEqual([1, 5]);
  });

  it('settle calls that never ended as aborted, and those that were never made at nothing', async () => {
    const { books, settlements } = recordingStore();
    books.reserve([plan('a'), plan('b')]);
    books.meter('a');
    await books.settle(5);
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
    const { books } = recordingStore();
    books.reserve([plan('a', 'p1', 1), plan('b', 'p2', 10), plan('c', 'p1', 100)]);
    expect([books.totals('p1').promptTokens, books.totals('p2').promptTokens, books.totals().promptTokens]).toEqual([
      101, 10, 111,
    ]);
  });

  it('price what was written to a cache, and keep how much: 76 at $1.25, 24 at $1', async () => {
    const { books } = recordingStore();
    await books.plan([{ ...plan('a'), model: modelOf('claude-haiku-4-5') }]);
    books.meter('a').usage = { promptTokens: 100, completionTokens: 0, cacheWritePromptTokens: 76 };
    expect(books.close('a', 'ok', 5)).toMatchObject({ cacheWritePromptTokens: 76, costNanoUsd: 119_000 });
  });

  it.each([
    // $0.75 a million until the end of 2026, $1.50 from then on.
    ['2026-12-31T23:59:59Z', 75_000],
    ['2027-01-01T00:00:00Z', 150_000],
  ])('price every call of a request as of its start, %s', async (startedAt, costNanoUsd) => {
    const { store } = recordingStore();
    const books = new Books(store, 'request', Date.parse(startedAt));
    const [reserved] = books.reserve([{ ...plan('a'), model: modelOf('gemini-3.8-flash') }]);
    books.meter('a').usage = { promptTokens: 100, completionTokens: 0 };
    const closed = books.close('a', 'ok', 5);
    expect([reserved?.costNanoUsd, closed.costNanoUsd]).toEqual([costNanoUsd, costNanoUsd]);
  });

  it('name models without a known price, whose calls cost 0', () => {
    const { books } = recordingStore();
    const unknown = { ...plan('a'), model: modelOf('my-local-llama') };
    expect(books.reserve([unknown, plan('b')])[0]).toMatchObject({ costNanoUsd: 0, priced: false });
    expect(books.totals().unpricedModels).toEqual(['my-local-llama']);
  });
});
