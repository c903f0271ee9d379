import type { ModelRow, ProviderId } from './catalog';
import type { TokenUsage } from './model';

/** What one call cost. `priced` is false when no price is known: the cost is then 0 and flagged in the ledger. */
export interface CallCost {
  readonly costNanoUsd: number;
  readonly priced: boolean;
}

/** The price list's name of each provider; the scripted models have a price of their own, router models none. */
const PRICE_LIST: Readonly<Record<Exclude<ProviderId, 'scripted' | 'router'>, string>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
};

/** The demo models cost what a small model costs, so that the books can be seen at work: $0.10 and $0.40 a million tokens. */
const SCRIPTED_NANO_USD = { prompt: 100, completion: 400 } as const;

/**
 * Prices one call in integer nano-USD from the bundled price list (`@pydantic/genai-prices`); nothing is fetched.
 * Usage is gross: the cached part of the prompt is priced once, at its own rate.
 */
export function priceCall(model: ModelRow, usage: Omit<TokenUsage, 'estimated'>): CallCost {
  // The router bills its user (spec "What the service does" 5).
  if (model.provider === 'router') return { costNanoUsd: 0, priced: true };
  if (model.provider === 'scripted') {
    const { prompt, completion } = SCRIPTED_NANO_USD;
    return { costNanoUsd: usage.promptTokens * prompt + usage.completionTokens * completion, priced: true };
  }
  const list = listOf(PRICE_LIST[model.provider], model.providerModel);
  const price = list?.calcPrice({
    input_tokens: usage.promptTokens,
    cache_read_tokens: Math.min(usage.cachedPromptTokens, usage.promptTokens),
    output_tokens: usage.completionTokens,
  });
  if (!price) return { costNanoUsd: 0, priced: false };
  return { costNanoUsd: Math.round(price.total_price * 1e9), priced: true };
}

type Usage = Parameters<PriceList['calcPrice']>[0];
type PriceList = typeof import('@pydantic/genai-prices');

/** One model's entry of the price list, found once; null where the list has none. */
type Entry = { calcPrice(usage: Usage): ReturnType<PriceList['calcPrice']> } | null;

const entries = new Map<string, Entry>();
/** Unknown ids are free text: the memory of them is bounded. */
const ENTRIES_MAX = 1_000;

/** The search through the whole list costs 30 to 40 µs, twice a call: what it finds is remembered. */
function listOf(providerId: string, name: string): Entry {
  const key = `${providerId}/${name}`;
  const known = entries.get(key);
  if (known !== undefined) return known;
  if (entries.size >= ENTRIES_MAX) entries.clear();
  const entry = findEntry(providerId, name);
  entries.set(key, entry);
  return entry;
}

function findEntry(providerId: string, name: string): Entry {
  const { calcPrice } = priceList();
  const found = calcPrice({ input_tokens: 1, output_tokens: 1 }, name, { providerId });
  if (!found) return null;
  const provider = { ...found.provider, models: [found.model] };
  return { calcPrice: (usage) => calcPrice(usage, name, { provider }) };
}

/** Loaded on first use: the demo models and `GET /v1/usage` never need it. */
function priceList(): PriceList {
  return require('@pydantic/genai-prices');
}
