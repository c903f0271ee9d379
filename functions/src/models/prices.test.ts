import { createCatalog, type ModelOverride } from './catalog';
import { estimateCost, priceCall, ratesOf } from './prices';

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

  const PRICE = { inputUsdPerMillion: 3, outputUsdPerMillion: 12.5, cachedInputUsdPerMillion: 0.5 };
  const FREE = { inputUsdPerMillion: 0, outputUsdPerMillion: 0 };
  const FINE = { inputUsdPerMillion: 0.0004, outputUsdPerMillion: 0.0015 };
  it.each<[rule: string, price: ModelOverride['price'] & object, tokens: Tokens, nanoUsd: number]>([
    ['600 at $3, 400 at $0.50, 100 at $12.50', PRICE, [1_000, 400, 0, 100], 3_250_000],
    [
      '350 at $3, 400 at $0.50, 250 at $3.75, 100 at $12.50',
      ...([{ ...PRICE, cacheWriteInputUsdPerMillion: 3.75 }, [1_000, 400, 250, 100], 3_437_500] as const),
    ],
    [
      'nothing for what is written',
      ...([{ ...PRICE, cacheWriteInputUsdPerMillion: 0 }, [1_000, 400, 250, 100], 2_500_000] as const),
    ],
    ['nothing at all, which is a known price', FREE, [1_000, 400, 0, 100], 0],
    ['0.4 nano-dollars as none', FINE, [1, 0, 0, 0], 0],
    ['0.8 nano-dollars as one', FINE, [2, 0, 0, 0], 1],
    ['0.4 and 3 nano-dollars as three', FINE, [1, 0, 0, 2], 3],
  ])('a price of the settings, of a new model and before the list: %s', (_, price, tokens, costNanoUsd) => {
    const [promptTokens, cachedPromptTokens, cacheWritePromptTokens, completionTokens] = tokens;
    const usage = { promptTokens, cachedPromptTokens, cacheWritePromptTokens, completionTokens, reasoningTokens: 9 };
    for (const id of ['own', 'gpt-4o']) {
      expect(cost(id, usage, [{ id, price }])).toEqual({ costNanoUsd, priced: true });
    }
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

describe('estimateCost', () => {
  // gpt-4o-mini: 150 nano-USD a prompt token, 600 a completion token; o3: 8,000.
  it.each<[rule: string, model: string, promptTokens: number, replyTokens: number | undefined, nanoUsd: number]>([
    ['a prompt and a reply of 4,096 tokens', 'gpt-4o-mini', 100, undefined, 100 * 150 + 4_096 * 600],
    ['what its long replies have, where they are longer', 'gpt-4o-mini', 0, 6_000, 6_000 * 600],
    ['no less after short ones, or one could prepare for long', 'gpt-4o-mini', 0, 10, 4_096 * 600],
    ['16,000 where it thinks first and nothing is known', 'o3', 0, undefined, 16_000 * 8_000],
    ['less where that is known', 'o3', 0, 5_000, 5_000 * 8_000],
    ['nothing without a known price', 'my-local-llama', 100, undefined, 0],
  ])('takes a call for %s', (_, id, promptTokens, replyTokens, nanoUsd) => {
    const call = { model: createCatalog().modelOf(id), promptTokens, replyTokens };
    expect([estimateCost([call], NOW_MS), estimateCost([call, call], NOW_MS)]).toEqual([nanoUsd, 2 * nanoUsd]);
  });

  it.each([
    ['2026-12-31T23:59:59Z', 0.75, 3.75],
    ['2027-01-01T00:00:00Z', 1.5, 7.5],
  ])('takes the price that is in force at %s', (at, inputUsd, outputUsd) => {
    const call = { model: createCatalog().modelOf('gemini-3.8-flash'), promptTokens: 1_000, replyTokens: 20_000 };
    const nanoUsd = 1_000 * inputUsd * 1_000 + 20_000 * outputUsd * 1_000;
    expect(estimateCost([call], Date.parse(at))).toBe(nanoUsd);
  });

  it('takes no reply for more than its model can write, and no calls for nothing', () => {
    const model = { ...createCatalog().modelOf('gpt-4o-mini'), maxOutputTokens: 1_000 };
    expect(estimateCost([{ model, promptTokens: 0, replyTokens: 6_000 }], NOW_MS)).toBe(1_000 * 600);
    expect(estimateCost([], NOW_MS)).toBe(0);
  });
});
