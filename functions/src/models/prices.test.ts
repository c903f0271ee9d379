import { createCatalog, type ModelOverride } from './catalog';
import { priceCall, ratesOf } from './prices';

/**
 * Worked examples: costs reckoned by hand from the providers' published prices, in USD per million tokens.
 * - OpenAI: developers.openai.com/api/docs/pricing, read June to November 2026
 * - Anthropic: platform.claude.com/docs/en/about-claude/pricing, read September to October 2026
 * - Google: ai.google.dev/gemini-api/docs/pricing, read September to October 2026
 */
interface Example {
  readonly rule: string;
  readonly model: string;
  readonly at?: string;
  readonly usage: {
    readonly promptTokens: number;
    readonly completionTokens: number;
    readonly cachedPromptTokens?: number;
    readonly cacheWritePromptTokens?: number;
    readonly reasoningTokens?: number;
    readonly webSearches?: number;
  };
  readonly nanoUsd: number;
}

const EXAMPLES: readonly Example[] = [
  {
    rule: 'OpenAI, searches: 3 at $10 a thousand, 1,000 tokens at $0.75',
    model: 'gpt-5.4-mini',
    usage: { promptTokens: 1_000, completionTokens: 0, webSearches: 3 },
    // 30,000,000 + 750,000
    nanoUsd: 30_750_000,
  },
  {
    rule: 'Gemini 3 and later, searches: 2 at $14 a thousand',
    model: 'gemini-3.8-flash',
    usage: { promptTokens: 0, completionTokens: 0, webSearches: 2 },
    nanoUsd: 28_000_000,
  },
  {
    rule: 'Gemini 2, a prompt that searches: $35 a thousand',
    model: 'gemini-2.5-pro',
    usage: { promptTokens: 0, completionTokens: 0, webSearches: 1 },
    nanoUsd: 35_000_000,
  },
  {
    rule: 'OpenAI, cached prompt and reasoning: 7,000 at $0.75, 3,000 at $0.075, 2,000 (1,500 reasoning) at $4.50',
    model: 'gpt-5.4-mini',
    usage: { promptTokens: 10_000, cachedPromptTokens: 3_000, completionTokens: 2_000, reasoningTokens: 1_500 },
    // 5,250,000 + 225,000 + 9,000,000
    nanoUsd: 14_475_000,
  },
  {
    rule: 'OpenAI, long prompt: from 272,000 tokens the whole request costs $10, $1 cached and $45, not $5, $0.50, $30',
    model: 'gpt-5.5',
    usage: { promptTokens: 272_000, cachedPromptTokens: 100_000, completionTokens: 1_000 },
    // 1,720,000,000 + 100,000,000 + 45,000,000
    nanoUsd: 1_865_000_000,
  },
  {
    rule: 'OpenAI, written to the cache: 200 at $2, 800 at $2.50, 100 at $10',
    model: 'gpt-6-sol',
    usage: { promptTokens: 1_000, cacheWritePromptTokens: 800, completionTokens: 100 },
    // 400,000 + 2,000,000 + 1,000,000
    nanoUsd: 3_400_000,
  },
  {
    rule: 'OpenAI, a model whose cache writes cost nothing extra: 1,000 at $2, 100 at $8',
    model: 'gpt-4.1',
    usage: { promptTokens: 1_000, cacheWritePromptTokens: 800, completionTokens: 100 },
    nanoUsd: 2_800_000,
  },
  {
    rule: 'Anthropic, cache read and written, thinking: 100 at $1, 1,024 at $0.10, 76 at $1.25, 340 (320 thinking) at $5',
    model: 'claude-haiku-4-5',
    usage: {
      promptTokens: 1_200,
      cachedPromptTokens: 1_024,
      cacheWritePromptTokens: 76,
      completionTokens: 340,
      reasoningTokens: 320,
    },
    // 100,000 + 102,400 + 95,000 + 1,700,000
    nanoUsd: 1_997_400,
  },
  {
    rule: 'Google, cached prompt and thoughts: 176 at $0.30, 1,024 at $0.03, 340 (320 thoughts) at $2.50',
    model: 'gemini-2.5-flash',
    usage: { promptTokens: 1_200, cachedPromptTokens: 1_024, completionTokens: 340, reasoningTokens: 320 },
    // 52,800 + 30,720 + 850,000
    nanoUsd: 933_520,
  },
  {
    rule: 'Google, above 200,000 tokens: $2.50, $0.25 cached and $15, not $1.25, $0.125 and $10',
    model: 'gemini-2.5-pro',
    usage: { promptTokens: 200_001, cachedPromptTokens: 1, completionTokens: 100 },
    // 500,000,000 + 250 + 1,500,000
    nanoUsd: 501_500_250,
  },
  {
    rule: 'Google, the introductory price on its last day: 1,000 at $0.75, 1,000 at $3.75',
    model: 'gemini-3.8-flash',
    at: '2026-12-31T23:59:59Z',
    usage: { promptTokens: 1_000, completionTokens: 1_000 },
    nanoUsd: 4_500_000,
  },
  {
    rule: 'Google, the price after it: 1,000 at $1.50, 1,000 at $7.50',
    model: 'gemini-3.8-flash',
    at: '2027-01-01T00:00:00Z',
    usage: { promptTokens: 1_000, completionTokens: 1_000 },
    nanoUsd: 9_000_000,
  },
  {
    rule: 'demo models, as the README says: 15 at $0.10, 10 at $0.40',
    model: 'demo-ada',
    usage: { promptTokens: 15, completionTokens: 10 },
    nanoUsd: 5_500,
  },
];

const NOW_MS = Date.parse('2026-11-20T12:00:00Z');

function cost(id: string, usage: Example['usage'], overrides: readonly ModelOverride[] = []) {
  const counts = { cachedPromptTokens: 0, reasoningTokens: 0, ...usage };
  return priceCall(createCatalog(overrides).modelOf(id), counts, NOW_MS);
}

describe('priceCall', () => {
  it.each(EXAMPLES)('$rule', ({ model, at = '2026-11-20T12:00:00Z', usage, nanoUsd }) => {
    const counts = { cachedPromptTokens: 0, reasoningTokens: 0, ...usage };
    expect(priceCall(createCatalog().modelOf(model), counts, Date.parse(at))).toEqual({
      costNanoUsd: nanoUsd,
      priced: true,
    });
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
