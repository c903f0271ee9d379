import type { Reservation, Settlement } from '../../src/ledger/ledger-store';
import { callRow, openRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import type { CurrentStore } from './store.contract';

const END = { startedAtMs: T0 + 1_000_000, requestId: 'z' };

/** `RequestLogStore`: what a user sees of each request. */
export function requestLogContract(current: CurrentStore): void {
  const begin = async (requestId: string, change: Partial<Reservation> = {}) => {
    const asked = reservation(requestId, { calls: [openRow('c')], ...change });
    await current().admit(rateLimit(1_000), [asked], T0);
    return asked;
  };
  const ended = async (requestId: string, change: Partial<Reservation> = {}, how: Partial<Settlement> = {}) =>
    current().settle(settlement(await begin(requestId, change), [callRow('c')], { outcome: 'complete', ...how }));
  const log = (max = 100, before = END) => current().listRequests('ada', { before, max });
  const ids = async (max?: number, before?: typeof END) => (await log(max, before)).map(({ requestId }) => requestId);

  it('tells key, strategy, models, tokens, cost, time and outcome of each', async () => {
    const asked = await begin('r', { keyId: 'key-2', originId: 'key-1', strategy: 'expert_panel' });
    const calls = [
      callRow('c'),
      callRow('d', { modelId: 'b', modelName: 'B', costNanoUsd: 0, priced: false }),
      callRow('e', { modelId: 'x', modelName: 'X', promptTokens: 0, completionTokens: 0, costNanoUsd: 0 }),
    ];
    await current().settle(settlement(asked, calls, { outcome: 'stopped' }));
    expect(await log()).toEqual([
      {
        ...{ requestId: 'r', startedAtMs: T0, keyId: 'key-2', originId: 'key-1', keyName: 'laptop' },
        ...{ endpoint: 'chat/completions', strategy: 'expert_panel', models: ['Model A', 'B'] },
        ...{ promptTokens: 20, completionTokens: 40, costNanoUsd: 300, costGap: 'unpriced' },
        ...{ outcome: 'stopped', durationMs: 5_000 },
      },
    ]);
  });

  it('tells those under way, those whose process died, those that failed and what the router bills', async () => {
    await begin('a-open');
    await ended('b-swept', {}, { state: 'swept' });
    await ended('c-failed', {}, { outcome: 'failed' });
    const own = await begin('d-own');
    const row = callRow('c', { costNanoUsd: 0, priced: false, ownKey: true });
    await current().settle({ ...settlement(own, [row]) });
    expect((await log()).map(({ requestId, outcome, costGap }) => [requestId, outcome, costGap])).toEqual([
      ['d-own', 'ended', 'router'],
      ['c-failed', 'failed', undefined],
      ['b-swept', 'lost', undefined],
      ['a-open', 'running', undefined],
    ]);
  });

  it('is read in pages, newest first and of one moment by id, each request once, and of one user alone', async () => {
    await ended('m', { startedAtMs: T0 + 5 });
    for (const id of ['b', 'c', 'a']) await ended(id);
    await ended('n', { startedAtMs: T0 - 5 });
    await current().admit(rateLimit(9), [reservation('bobs', { userId: 'bob' })], T0);
    expect(await ids()).toEqual(['m', 'c', 'b', 'a', 'n']);
    expect(await ids(2)).toEqual(['m', 'c']);
    expect(await ids(2, { startedAtMs: T0, requestId: 'c' })).toEqual(['b', 'a']);
    expect(await ids(9, { startedAtMs: T0 - 5, requestId: 'n' })).toEqual([]);
  });

  it('keeps the names of 20 models of a request, however many it asked', async () => {
    const calls = Array.from({ length: 30 }, (_, at) => callRow(`c${at}`, { modelId: `m${at}`, modelName: `M ${at}` }));
    await current().settle(settlement(await begin('r'), calls));
    expect((await log())[0]?.models).toEqual(Array.from({ length: 20 }, (_, at) => `M ${at}`));
  });
}
