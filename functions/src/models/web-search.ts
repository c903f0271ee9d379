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

/** Reason that keeps a model from searching the web, in words for people; undefined for one that may. */
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

const URL_CHARACTERS_MAX = 2_000;
const TITLE_CHARACTERS_MAX = 200;

/** Characters that are unseen, end a line or turn the direction of writing: a title is one line of plain text. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\s]+/gu;

/** A page as a provider tells of it; undefined for what is no address of the web, or has a password in it. */
export function webSource(url: unknown, title: unknown): WebSource | undefined {
  if (typeof url !== 'string' || url.length > URL_CHARACTERS_MAX) return undefined;
  const address = webAddress(url);
  if (address?.username !== '' || address.password !== '') return undefined;
  const { hostname } = address;
  return { url: withoutOrigin(address.href), title: lineOf(title) || hostname };
}

/** Form shared by the spellings of an address, without protocol, `www.`, fragment, last slash and marks of origin. */
export function addressKey(url: string): string {
  const address = webAddress(url);
  if (!address) return url;
  for (const name of [...address.searchParams.keys()]) if (name.startsWith('utm_')) address.searchParams.delete(name);
  const { host, pathname, search } = address;
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}${search}`;
}

/** Providers mark the addresses that their models name as coming from them: the mark would tell who wrote a text. */
const ORIGIN = /([?&])utm_source=(?:openai|chatgpt\.com)(?:&|(?![\w.-]))/g;

/** A text or an address without those marks. */
export function withoutOrigin(text: string): string {
  return text.replace(ORIGIN, (mark, before: string) => (mark.endsWith('&') ? before : ''));
}

function webAddress(url: string): URL | undefined {
  const address = URL.parse(url);
  return address && /^https?:$/.test(address.protocol) ? address : undefined;
}

/** No more is looked at than may be kept: a title may be a megabyte. */
function lineOf(title: unknown): string {
  if (typeof title !== 'string') return '';
  const line = title
    .slice(0, 4 * TITLE_CHARACTERS_MAX)
    .toWellFormed()
    .replace(UNSEEN, ' ')
    .trim();
  if (line.length <= TITLE_CHARACTERS_MAX) return line;
  const cut = line.slice(0, TITLE_CHARACTERS_MAX - 1);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
