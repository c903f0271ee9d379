import { Lru } from '../lib/lru';
import { type ModelPrice, type ModelRow, thinksFirst } from './catalog';
import type { TokenUsage } from './model';
import { listPricePerSearch, SEARCHES, withSearches } from './web-search';

/** Cost of one call. `priced` is false when no price is known: the cost is then 0 and flagged in the ledger. */
export interface CallCost {
  readonly costNanoUsd: number;
  readonly priced: boolean;
}

/** Counts that a price depends on; those of caches and searches only where there are any. */
type PricedUsage = Pick<TokenUsage, 'promptTokens' | 'completionTokens'> & Partial<TokenUsage>;

/** Prices one call in whole nano-USD, each token once: by the row’s own price, else by the bundled list at `atMs`. */
export function priceCall(model: ModelRow, usage: PricedUsage, atMs: number): CallCost {
  const tokens = priceTokens(model, usage, atMs);
  const { webSearches = 0 } = usage;
  if (webSearches === 0) return tokens;
  const usdPerThousand = usdPerThousandSearches(model, atMs);
  if (usdPerThousand === undefined) return { ...tokens, priced: false };
  return { ...tokens, costNanoUsd: tokens.costNanoUsd + Math.round((webSearches * usdPerThousand * 1e9) / 1_000) };
}

/** Price of a thousand searches of a model: as listed, else as its provider says. Undefined where it has no search. */
function usdPerThousandSearches(model: ModelRow, atMs: number): number | undefined {
  const listed = listedPrice(model)?.({}, atMs)?.model_price['web_searches_kcount'];
  return typeof listed === 'number' ? listed : listPricePerSearch(model);
}

function priceTokens(model: ModelRow, usage: PricedUsage, atMs: number): CallCost {
  const { promptTokens, completionTokens, cachedPromptTokens = 0, cacheWritePromptTokens = 0 } = usage;
  // The parts add up to the prompt, also where a provider reported more cached tokens than prompt tokens.
  const read = Math.min(cachedPromptTokens, promptTokens);
  const written = Math.min(cacheWritePromptTokens, promptTokens - read);
  if (model.price) {
    const { inputUsdPerMillion: input, outputUsdPerMillion: output } = model.price;
    const { cachedInputUsdPerMillion: cached = input, cacheWriteInputUsdPerMillion: cacheWrite = input } = model.price;
    const promptUsd = (promptTokens - read - written) * input + read * cached + written * cacheWrite;
    return { costNanoUsd: Math.round(((promptUsd + completionTokens * output) / 1e6) * 1e9), priced: true };
  }
  const tokens = {
    input_tokens: promptTokens,
    cache_read_tokens: read,
    cache_write_tokens: written,
    output_tokens: completionTokens,
  };
  const costUsd = listedPrice(model)?.(tokens, atMs)?.total_price;
  if (costUsd === undefined) return { costNanoUsd: 0, priced: false };
  return { costNanoUsd: Math.round(costUsd * 1e9), priced: true };
}

/** The rates of a model at `atMs`, for people: where there are tiers, those of short prompts. Null when none are known. */
export function ratesOf(model: ModelRow, atMs: number): ModelPrice | null {
  if (model.price) return model.price;
  const rates = listedPrice(model)?.({}, atMs)?.model_price;
  const [input, cached, cacheWrite, output] = ['input_mtok', 'cache_read_mtok', 'cache_write_mtok', 'output_mtok'].map(
    (name) => {
      const rate = rates?.[name];
      return typeof rate === 'object' ? rate.base : rate;
    },
  );
  if (input === undefined || output === undefined) return null;
  return {
    inputUsdPerMillion: input,
    outputUsdPerMillion: output,
    ...(cached !== undefined && { cachedInputUsdPerMillion: cached }),
    ...(cacheWrite !== undefined && { cacheWriteInputUsdPerMillion: cacheWrite }),
  };
}

type PriceList = typeof import('@pydantic/genai-prices');

/** One model's price in the list, for so many tokens at a time. */
type ListedPrice = (tokens: Readonly<Record<string, number>>, atMs: number) => ReturnType<PriceList['calcPrice']>;

/** The search through the whole list costs 30 to 40 µs, twice a call: what it finds, null for nothing, is remembered. */
const listedPrices = new Lru<string, ListedPrice | null>(1_000);

/** Null where the list does not know the model. Nobody publishes what other endpoints charge. */
function listedPrice({ providerModel, ...row }: ModelRow): ListedPrice | null {
  const provider = row.listedBy ?? row.provider;
  if (provider !== 'openai' && provider !== 'anthropic' && provider !== 'google') return null;
  const key = `${provider}/${providerModel}`;
  const known = listedPrices.get(key);
  if (known !== undefined) return known;
  // Loaded on first use: the demo models never need it.
  const { calcPrice }: PriceList = require('@pydantic/genai-prices');
  const found = calcPrice({}, providerModel, { providerId: provider });
  const only = found && { ...found.provider, models: [found.model] };
  const price: ListedPrice | null =
    only && ((tokens, atMs) => calcPrice(tokens, providerModel, { provider: only, timestamp: new Date(atMs) }));
  listedPrices.set(key, price);
  return price;
}

/** Call that a run is likely to make. */
export interface LikelyCall {
  readonly model: ModelRow;
  readonly promptTokens: number;
  readonly webSearch?: true;
  /** Tokens of a long reply of its model, where that is known. */
  readonly replyTokens?: number | undefined;
}

/** Tokens that one reply is taken for while nothing is known of it. */
export const USUAL_REPLY_TOKENS = 600;
/** Tokens that all models with a known price can write: none is taken to write less when it writes much. */
const LONG_REPLY_TOKENS = 4_096;
const LONG_THINKING_REPLY_TOKENS = 16_000;

/** Tokens of a long reply of a model whose replies are not known, its thoughts included. */
export function longReplyTokens(model: ModelRow): number {
  return thinksFirst(model) ? LONG_THINKING_REPLY_TOKENS : LONG_REPLY_TOKENS;
}

/** Cost of calls when all replies are long, nano-USD: budgets count it while a run is under way. */
export function estimateCost(calls: readonly LikelyCall[], atMs: number): number {
  return calls.reduce((sum, { model, promptTokens, webSearch, replyTokens = longReplyTokens(model) }) => {
    const completionTokens = Math.min(model.maxOutputTokens ?? Infinity, Math.max(LONG_REPLY_TOKENS, replyTokens));
    const usage = { ...withSearches(promptTokens, webSearch && SEARCHES.long), completionTokens };
    return sum + priceCall(model, usage, atMs).costNanoUsd;
  }, 0);
}
