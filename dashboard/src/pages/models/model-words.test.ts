import { abilityWords, contextWords, hasWords, priceWords, routerAbilityWords, tokenPriceWords } from './model-words';

const MODEL = { id: 'owl-1', object: 'model', created: 0, owned_by: 'owl', name: 'Owl 1' } as const;
const perMillion = (input_usd_per_million: number, output_usd_per_million: number) => ({
  ...MODEL,
  priced: true,
  pricing: { input_usd_per_million, output_usd_per_million },
});

it.each([
  ['a price is that of a million tokens', priceWords(perMillion(0.25, 10), 'en'), ['$0.25', '$10.00']],
  ['a known price may be 0', priceWords(perMillion(0, 0), 'en'), ['$0.00', '$0.00']],
  ['no price is none rather than 0', priceWords({ ...MODEL, priced: false }), ['not priced', 'not priced']],
  ['an unknown price is none, too', priceWords(MODEL), ['not priced', 'not priced']],
  ['abilities are words', abilityWords({ vision: true, tools: false }), ['vision', 'no tools']],
  ['abilities of which nothing is told are left out', abilityWords({ tools: true }), ['tools']],
  [
    'unknown abilities are said to be so',
    [abilityWords({ vision: 'unknown', tools: 'unknown' }), abilityWords({ vision: 'unknown', tools: true })],
    [['vision and tools not known'], ['vision not known', 'tools']],
  ],
  [
    'those of the router’s models, too',
    [{ vision: true, tools: false } as const, { vision: 'unknown', tools: 'unknown' } as const].map(routerAbilityWords),
    [['vision', 'no tools (runs without web grounding)'], ['vision and tools not known']],
  ],
  ['a context is short', [contextWords(1_048_576, 'en'), contextWords(32_000, 'en')], ['1M tokens', '32K tokens']],
  ['or is not known', [contextWords(null), contextWords(undefined)], ['not known', 'not known']],
  [
    'a router’s price is that of a million tokens in and out; that of a model without one is not known',
    [
      tokenPriceWords({ inputUsdPerMillion: 0.25, outputUsdPerMillion: 10 }, 'en'),
      tokenPriceWords({ inputUsdPerMillion: 0, outputUsdPerMillion: 0 }, 'en'),
      tokenPriceWords(null, 'en'),
    ],
    ['$0.25 in, $10.00 out', 'free', 'price not known'],
  ],
  [
    'a search wants all words',
    [hasWords(['a/Eagle', 'Owl'], 'EAGLE owl'), hasWords(['Owl'], 'owl fox')],
    [true, false],
  ],
])('%s', (_, actual, expected) => {
  expect(Object.values(actual)).toEqual(expected);
});
