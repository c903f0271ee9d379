import { createCatalog } from '../models/catalog';
import { estimateCost } from './estimate-cost';

const { modelOf } = createCatalog();
const STARTED_AT_MS = Date.parse('2026-11-01T12:00:00Z');

/** A call of a first wave with a prompt of so many tokens. */
const call = (modelId: string, promptTokens: number) => {
  return { callId: 'a', model: modelOf(modelId), seat: 'p1', purpose: 'draft', round: 1, promptTokens } as const;
};

describe('the estimate of a run', () => {
  it('takes each call of the first wave for its prompt and a reply of 600 tokens', () => {
    // gpt-4o-mini: 150 nano-USD a prompt token, 600 a completion token.
    const reply = 600 * 600;
    const calls = [call('gpt-4o-mini', 100), call('gpt-4o-mini', 2_000)];
    expect(estimateCost(calls, STARTED_AT_MS)).toBe(100 * 150 + reply + 2_000 * 150 + reply);
  });

  it('is at the prices in force when the run starts', () => {
    // $0.75 a million prompt tokens until the end of 2026, $1.50 from then on.
    const promptCost = (at: string) =>
      estimateCost([call('gemini-3.8-flash', 1_000)], Date.parse(at)) -
      estimateCost([call('gemini-3.8-flash', 0)], Date.parse(at));
    expect([promptCost('2026-12-31T23:59:59Z'), promptCost('2027-01-01T00:00:00Z')]).toEqual([750_000, 1_500_000]);
  });

  it('is nothing for models without a known price, and for no calls', () => {
    expect(estimateCost([call('my-local-llama', 100)], STARTED_AT_MS)).toBe(0);
    expect(estimateCost([], STARTED_AT_MS)).toBe(0);
  });
});
