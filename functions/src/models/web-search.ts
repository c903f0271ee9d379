import { isEndpoint, type ModelRow, type ProviderId } from './catalog';

/** A page that a model found on the web. */
export interface WebSource {
  /** Address of http or https. */
  readonly url: string;
  /** In one line; the page's host where it has none. */
  readonly title: string;
}

/** A page as a provider tells of it: nothing of it may be relied on. */
export interface FoundPage {
  readonly url: unknown;
  readonly title?: unknown;
  /** True if the text refers to it. */
  readonly isCited?: boolean;
}

/** Provider's report of a search. */
export interface WebReport {
  /** Searches so far, as the provider bills them. */
  readonly searches?: number;
  readonly pages?: readonly FoundPage[];
}

/** Providers that take a bound are told that one call may search so often. */
export const SEARCHES_MAX = 5;
/** Searches of a call that may search, by the length of its reply. */
export const SEARCHES = { short: 0, usual: 2, long: SEARCHES_MAX } as const;
/** Tokens that the results of one search add to the prompt: providers bill them as the model's input. */
const RESULT_TOKENS = 6_000;

/** Estimated consumption of a call with so many searches; 0 where it does not search. */
export function withSearches(promptTokens: number, webSearches = 0) {
  return { promptTokens: promptTokens + webSearches * RESULT_TOKENS, ...(webSearches > 0 && { webSearches }) };
}

/** Settings that decide if a model's server has a search. */
export interface SearchSettings {
  readonly providers: Readonly<Partial<Record<ProviderId, { readonly baseUrl?: string | undefined }>>>;
}

/**
 * Reason that keeps a model from searching the web, in words for people; undefined for one that may. Servers that only speak
 * OpenAI's protocol have no search that could be asked for in one way.
 */
export function unsearchableModels({ providers }: SearchSettings): (model: ModelRow) => string | undefined {
  return ({ provider, tools, webSearch = tools }) => {
    if (!webSearch) return 'its model has no tools';
    const isOther = isEndpoint(provider) || (provider === 'openai' && providers.openai?.baseUrl !== undefined);
    return isOther ? 'its server has no search' : undefined;
  };
}

/** US dollars for a thousand searches, as the providers' price pages say in November 2026; a router bills its user itself. */
const USD_PER_THOUSAND = { openai: 10, anthropic: 10, google: 14, scripted: 10, router: 0 } as const;
/** Models billed by the grounded prompt, however often it searches. */
const PER_PROMPT = /^(?:models\/)?gemini-[12]/;
const USD_PER_THOUSAND_PROMPTS = 35;

/** True if a model's provider bills a prompt that searches once. */
export function isBilledByPrompt(providerModel: string): boolean {
  return PER_PROMPT.test(providerModel);
}

/** Price of a thousand searches where the price list has no rate; undefined for servers without a search. */
export function listPricePerSearch({ provider, providerModel }: ModelRow): number | undefined {
  if (isEndpoint(provider)) return undefined;
  return provider === 'google' && isBilledByPrompt(providerModel)
    ? USD_PER_THOUSAND_PROMPTS
    : USD_PER_THOUSAND[provider];
}
