import type { ModelPrice, ModelRow, ProviderId } from './catalog';
import type { TokenUsage } from './model';

/** What one call cost. `priced` is false when no price is known: the cost is then 0 and flagged in the ledger. */
export interface CallCost {
  readonly costNanoUsd: number;
  readonly priced: boolean;
}

/** The price list's name of each provider. Nobody publishes what other endpoints charge. */
const PRICE_LISTS: Partial<Readonly<Record<ProviderId, string>>> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
};

/**
 * Prices one call in integer nano-USD, rounded to the nearest, once per call: by the row's own price, else by the
 * bundled price list (`@pydantic/genai-prices`) as it stands at `atMs`; nothing is fetched.
 *
 * Usage is gross, and each token is priced once: of the prompt, what was read from a cache or written to one at its own
 * rate and the rest at the input rate; of the completion, everything (reasoning included) at the output rate. Where a
 * list price has tiers, the length of the whole prompt chooses the tier of all rates.
 */
export function priceCall(model: ModelRow, usage: Omit<TokenUsage, 'estimated'>, atMs: number): CallCost {
  const costUsd = model.price ? flatCost(model.price, usage) : listCost(model, usage, atMs);
  return costUsd === null
    ? { costNanoUsd: 0, priced: false }
    : { costNanoUsd: Math.round(costUsd * 1e9), priced: true };
}

/** The rates of a model at `atMs`, for people: where there are tiers, those of short prompts. Null when none are known. */
export function ratesOf(model: ModelRow, atMs: number): ModelPrice | null {
  if (model.price) return model.price;
  const rates = entryOf(model)?.price({}, atMs)?.model_price;
  const [input, cached, output] = [rates?.['input_mtok'], rates?.['cache_read_mtok'], rates?.['output_mtok']].map(base);
  if (input === undefined || output === undefined) return null;
  return {
    inputUsdPerMillion: input,
    outputUsdPerMillion: output,
    ...(cached !== undefined && { cachedInputUsdPerMillion: cached }),
  };
}

type PricedUsage = Omit<TokenUsage, 'estimated'>;

function flatCost(price: ModelPrice, usage: PricedUsage): number {
  const { inputUsdPerMillion: input, outputUsdPerMillion: output, cachedInputUsdPerMillion: cached = input } = price;
  const { uncached, read, written } = partsOfPrompt(usage);
  return ((uncached + written) * input + read * cached + usage.completionTokens * output) / 1e6;
}

function listCost(model: ModelRow, usage: PricedUsage, atMs: number): number | null {
  const { read, written } = partsOfPrompt(usage);
  const tokens = {
    input_tokens: usage.promptTokens,
    cache_read_tokens: read,
    cache_write_tokens: written,
    output_tokens: usage.completionTokens,
  };
  return entryOf(model)?.price(tokens, atMs)?.total_price ?? null;
}

/** The prompt in parts that add up to it, also where a provider reported more cached tokens than prompt tokens. */
function partsOfPrompt({ promptTokens, cachedPromptTokens, cacheWritePromptTokens = 0 }: PricedUsage) {
  const read = Math.min(cachedPromptTokens, promptTokens);
  const written = Math.min(cacheWritePromptTokens, promptTokens - read);
  return { read, written, uncached: promptTokens - read - written };
}

type PriceList = typeof import('@pydantic/genai-prices');
type Priced = ReturnType<PriceList['calcPrice']>;

/** One model's entry of the price list, found once; null where the list has none. */
type Entry = { price(tokens: Readonly<Record<string, number>>, atMs: number): Priced } | null;

const entries = new Map<string, Entry>();
/** Unknown ids are free text: the memory of them is bounded. */
const ENTRIES_MAX = 1_000;

/** The search through the whole list costs 30 to 40 µs, twice a call: what it finds is remembered. */
function entryOf({ provider, providerModel }: ModelRow): Entry {
  const providerId = PRICE_LISTS[provider];
  if (providerId === undefined) return null;
  const key = `${providerId}/${providerModel}`;
  const known = entries.get(key);
  if (known !== undefined) return known;
  if (entries.size >= ENTRIES_MAX) entries.clear();
  const entry = findEntry(providerId, providerModel);
  entries.set(key, entry);
  return entry;
}

function findEntry(providerId: string, name: string): Entry {
  const { calcPrice } = priceList();
  const found = calcPrice({}, name, { providerId });
  if (!found) return null;
  const provider = { ...found.provider, models: [found.model] };
  return { price: (tokens, atMs) => calcPrice(tokens, name, { provider, timestamp: new Date(atMs) }) };
}

function base(rate: number | { readonly base: number } | undefined): number | undefined {
  return typeof rate === 'object' ? rate.base : rate;
}

/** Loaded on first use: the demo models never need it. */
function priceList(): PriceList {
  return require('@pydantic/genai-prices');
}
