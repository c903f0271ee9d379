import { createCatalog } from './catalog';
import { estimateCost } from './prices';

const { modelOf } = createCatalog();
const STARTED_AT_MS = Date.parse('2026-11-01T12:00:00Z');

/** A planned call with a prompt of so many tokens. */
const call = (modelId: string, promptTokens: number, replyTokens?: number) => ({
  model: modelOf(modelId),
  promptTokens,
  replyTokens,
});

describe('the estimate of a run', () => {
  it('takes each call for its prompt and a reply of 4,096 tokens', () => {
    // gpt-4o-mini: 150 nano-USD a prompt token, 600 a completion token.
    const reply = 4_096 * 600;
    const calls = [call('gpt-4o-mini', 100), call('gpt-4o-mini', 2_000)];
    expect(estimateCost(calls, STARTED_AT_MS)).toBe(100 * 150 + reply + 2_000 * 150 + reply);
  });

  it.each([
    { modelId: 'gpt-4o-mini', known: 6_000, tokens: 6_000, rule: 'what its long replies have, where they are longer' },
    {
      modelId: 'gpt-4o-mini',
      known: 10,
      tokens: 4_096,
      rule: 'no less after short ones, or one could prepare for long',
    },
    { modelId: 'o3', known: undefined, tokens: 16_000, rule: '16,000 where it thinks first and nothing is known' },
    { modelId: 'o3', known: 5_000, tokens: 5_000, rule: 'less where that is known' },
  ])('a reply of $modelId after $known: $rule', ({ modelId, known, tokens }) => {
    const costOf = (replyTokens: number | undefined) => estimateCost([call(modelId, 0, replyTokens)], STARTED_AT_MS);
    expect(costOf(known)).toBe(costOf(tokens));
    expect(costOf(known)).toBeGreaterThan(0);
  });

  it('no reply is taken for more than its model can write', () => {
    const model = { ...modelOf('gpt-4o-mini'), maxOutputTokens: 1_000 };
    expect(estimateCost([{ model, promptTokens: 0, replyTokens: 6_000 }], STARTED_AT_MS)).toBe(1_000 * 600);
  });

  it('is at the prices in force when the run starts', () => {
    // $0.75 a million prompt tokens until the end of 2026, $1.50 from then on.
    const promptCost = (at: string) =>
      estimateCost([call('gemini-3.8-flash', 1_000, 0)], Date.parse(at)) -
      estimateCost([call('gemini-3.8-flash', 0, 0)], Date.parse(at));
    expect([promptCost('2026-12-31T23:59:59Z'), promptCost('2027-01-01T00:00:00Z')]).toEqual([750_000, 1_500_000]);
  });

  it('is nothing for models without a known price, and for no calls', () => {
    expect(estimateCost([call('my-local-llama', 100)], STARTED_AT_MS)).toBe(0);
    expect(estimateCost([], STARTED_AT_MS)).toBe(0);
  });
});
