import { createCatalog, type ModelOverride } from './catalog';
import { priceCall, ratesOf } from './prices';

/**
 * Worked examples: costs reckoned by hand from the providers' published prices, in USD per million tokens.
 * - OpenAI: developers.openai.com/api/docs/pricing, read June to November 2026
 * - Anthropic: platform.claude.com/docs/en/about-claude/pricing, read September to October 2026
 * - Google: ai.google.dev/gemini-api/docs/pricing, read September to October 2026
 *
 * Tokens of the prompt, of these read from and written to a cache, tokens of the completion; searches.
 */
type Tokens = readonly [prompt: number, read: number, written: number, completion: number, webSearches?: number];
const EXAMPLES: readonly (readonly [rule: string, model: string, tokens: Tokens, nanoUsd: number, at?: string])[] = [
  ['three searches at $10 a thousand, 1,000 at $0.75', 'gpt-5.4-mini', [1_000, 0, 0, 0, 3], 30_750_000],
  ['two searches at $14 a thousand', 'gemini-3.8-flash', [0, 0, 0, 0, 2], 28_000_000],
  ['a prompt that searches at $35 a thousand', 'gemini-2.5-pro', [0, 0, 0, 0, 1], 35_000_000],
  ['7,000 at $0.75, 3,000 cached at $0.075, 2,000 at $4.50', 'gpt-5.4-mini', [10_000, 3_000, 0, 2_000], 14_475_000],
  [
    'from 272,000 tokens on all of a request costs $10, $1 cached and $45, not $5, $0.50, $30',
    ...(['gpt-5.5', [272_000, 100_000, 0, 1_000], 1_865_000_000] as const),
  ],
  ['200 at $2, 800 written at $2.50, 100 at $10', 'gpt-6-sol', [1_000, 0, 800, 100], 3_400_000],
  ['1,000 at $2, written ones too, 100 at $8', 'gpt-4.1', [1_000, 0, 800, 100], 2_800_000],
  [
    '100 at $1, 1,024 read at $0.10, 76 written at $1.25, 340 at $5',
    ...(['claude-haiku-4-5', [1_200, 1_024, 76, 340], 1_997_400] as const),
  ],
  ['176 at $0.30, 1,024 cached at $0.03, 340 at $2.50', 'gemini-2.5-flash', [1_200, 1_024, 0, 340], 933_520],
  [
    'above 200,000 tokens $2.50, $0.25 cached and $15, not $1.25, $0.125 and $10',
    ...(['gemini-2.5-pro', [200_001, 1, 0, 100], 501_500_250] as const),
  ],
  [
    'the introductory price on its last day: $0.75 and $3.75',
    ...(['gemini-3.8-flash', [1_000, 0, 0, 1_000], 4_500_000, '2026-12-31T23:59:59Z'] as const),
  ],
  [
    'the price after it: $1.50 and $7.50',
    ...(['gemini-3.8-flash', [1_000, 0, 0, 1_000], 9_000_000, '2027-01-01T00:00:00Z'] as const),
  ],
  ['as the README says: 15 at $0.10, 10 at $0.40', 'demo-ada', [15, 0, 0, 10], 5_500],
];

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');

type Usage = Parameters<typeof priceCall>[1];

function cost(id: string, usage: Usage, overrides: readonly ModelOverride[] = []) {
  return priceCall(createCatalog(overrides).modelOf(id), usage, NOW_MS);
}

describe('priceCall', () => {
  it.each(EXAMPLES.map((row) => ({ rule: row[0], row })))('$rule', ({ row }) => {
    const [, model, tokens, costNanoUsd, at = '2026-11-20T12:00:00Z'] = row;
    const [promptTokens, cachedPromptTokens, cacheWritePromptTokens, completionTokens, webSearches = 0] = tokens;
    const usage = { promptTokens, cachedPromptTokens, cacheWritePromptTokens, completionTokens, webSearches };
    expect(priceCall(createCatalog().modelOf(model), usage, Date.parse(at))).toEqual({ costNanoUsd, priced: true });
  });

  it('knows dated names of a listed model, and none of a made-up one', () => {
    const usage = { promptTokens: 1_000_000, completionTokens: 0 };
    expect(cost('gpt-4o-mini-2024-07-18', usage)).toEqual({ costNanoUsd: 150_000_000, priced: true });
    expect(cost('gpt-4o-nonsense', usage)).toEqual({ costNanoUsd: 0, priced: false });
    expect(cost('my-local-llama', usage)).toEqual({ costNanoUsd: 0, priced: false });
  });

  it.each([
    { rule: 'more cached tokens than prompt tokens', usage: { promptTokens: 10, cachedPromptTokens: 50 } },
    {
      rule: 'more tokens read and written than there are',
      usage: { promptTokens: 10, cachedPromptTokens: 10, cacheWritePromptTokens: 9 },
    },
  ])('never prices a token twice: $rule', ({ usage }) => {
    // Ten tokens at the cached rate of $0.10.
    expect(cost('claude-haiku-4-5', { completionTokens: 0, ...usage })).toEqual({ costNanoUsd: 1_000, priced: true });
  });

  describe('by a price of the settings', () => {
    const price = { inputUsdPerMillion: 3, outputUsdPerMillion: 12.5, cachedInputUsdPerMillion: 0.5 };
    const usage = { promptTokens: 1_000, cachedPromptTokens: 400, completionTokens: 100, reasoningTokens: 90 };

    it('prices a new model: 600 at $3, 400 at $0.50, 100 at $12.50', () => {
      expect(cost('own', usage, [{ id: 'own', price }])).toEqual({ costNanoUsd: 3_250_000, priced: true });
    });

    it('goes before the list price', () => {
      expect(cost('gpt-4o', usage, [{ id: 'gpt-4o', price }]).costNanoUsd).toBe(3_250_000);
    });

    it('prices them at a rate of their own where it names one: 350 at $3, 400 at $0.50, 250 at $3.75, 100 at $12.50', () => {
      const written = { ...usage, cacheWritePromptTokens: 250 };
      const own = { ...price, cacheWriteInputUsdPerMillion: 3.75 };
      expect(cost('own', written, [{ id: 'own', price: own }]).costNanoUsd).toBe(3_437_500);
      // One that charges nothing for it.
      const free = { ...price, cacheWriteInputUsdPerMillion: 0 };
      expect(cost('own', written, [{ id: 'own', price: free }]).costNanoUsd).toBe(2_500_000);
    });

    it('of nothing is a known price', () => {
      const free = { inputUsdPerMillion: 0, outputUsdPerMillion: 0 };
      expect(cost('own', usage, [{ id: 'own', price: free }])).toEqual({ costNanoUsd: 0, priced: true });
    });

    it('rounds each call to the nearest nano-dollar', () => {
      const fine = { inputUsdPerMillion: 0.0004, outputUsdPerMillion: 0.0015 };
      const rounded = (promptTokens: number, completionTokens: number): number =>
        cost('own', { promptTokens, completionTokens }, [{ id: 'own', price: fine }]).costNanoUsd;
      // 0.4, 0.8 and 0.4 + 3 nano-dollars
      expect([rounded(1, 0), rounded(2, 0), rounded(1, 2)]).toEqual([0, 1, 3]);
    });
  });

  it('does not price a listed model that is served by an endpoint of the settings', () => {
    const moved: ModelOverride = { id: 'gpt-4o', provider: 'endpoint:azure' };
    expect(cost('gpt-4o', { promptTokens: 10, completionTokens: 10 }, [moved]).priced).toBe(false);
  });
});

describe('ratesOf', () => {
  const rates = (id: string) => ratesOf(createCatalog().modelOf(id), NOW_MS);

  it('tells what a million tokens cost, of tiers the first', () => {
    expect(rates('gpt-5.5')).toEqual({ inputUsdPerMillion: 5, outputUsdPerMillion: 30, cachedInputUsdPerMillion: 0.5 });
    expect(rates('claude-haiku-4-5')).toEqual({
      inputUsdPerMillion: 1,
      outputUsdPerMillion: 5,
      cachedInputUsdPerMillion: 0.1,
      cacheWriteInputUsdPerMillion: 1.25,
    });
    expect(rates('demo-ada')).toEqual({ inputUsdPerMillion: 0.1, outputUsdPerMillion: 0.4 });
  });

  it('is null where no price is known', () => {
    expect(rates('my-local-llama')).toBeNull();
  });
});
