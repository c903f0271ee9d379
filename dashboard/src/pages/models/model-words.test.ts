import { abilityWords, contextWords, hasWords, priceWords, routerAbilityWords } from './model-words';

const MODEL = { id: 'owl-1', object: 'model', created: 0, owned_by: 'owl', name: 'Owl 1' } as const;

describe('what a model can', () => {
  it('is said in words, and nothing is said of what is not known', () => {
    expect(abilityWords({ vision: true, tools: false })).toEqual(['vision', 'no tools']);
    expect(abilityWords({ tools: true })).toEqual(['tools']);
  });

  it('is said of a model of the router with what it means for a run', () => {
    expect(routerAbilityWords({ vision: false, tools: false })).toEqual([
      'no vision',
      'no tools (runs without web grounding)',
    ]);
    expect(routerAbilityWords({ vision: true, tools: true })).toEqual(['vision', 'tools']);
  });
});

describe('what a model reads at most', () => {
  it('is short, or said not to be known', () => {
    expect(contextWords(1_048_576, 'en')).toBe('1M tokens');
    expect(contextWords(32_000, 'en')).toBe('32K tokens');
    expect([contextWords(null), contextWords(undefined)]).toEqual(['not known', 'not known']);
  });
});

describe('the price of a model', () => {
  it('is that of a million tokens', () => {
    const pricing = { input_usd_per_million: 0.25, output_usd_per_million: 10 };
    expect(priceWords({ ...MODEL, priced: true, pricing }, 'en')).toEqual({ prompt: '$0.25', completion: '$10.00' });
  });

  it('is said not to be there rather than to be 0', () => {
    const none = { prompt: 'not priced', completion: 'not priced' };
    expect(priceWords({ ...MODEL, priced: false })).toEqual(none);
    expect(priceWords(MODEL)).toEqual(none);
  });

  it('is 0 where a known price is 0', () => {
    const pricing = { input_usd_per_million: 0, output_usd_per_million: 0 };
    expect(priceWords({ ...MODEL, priced: true, pricing }, 'en').prompt).toBe('$0.00');
  });
});

describe('a search among models', () => {
  it('finds what has all words, in any order and case', () => {
    expect(hasWords(['owl/eagle-1', 'Owl: Eagle'], 'EAGLE owl')).toBe(true);
    expect(hasWords(['owl/eagle-1'], 'eagle fox')).toBe(false);
    expect(hasWords(['owl/eagle-1'], '  ')).toBe(true);
  });
});
