import curated from './curated-models.json';
import listed from './listed-models.json';

/** The protocols we speak, and the demo models. `openai` also serves every OpenAI-compatible base URL. */
export type BuiltInProvider = 'openai' | 'anthropic' | 'google' | 'scripted';

const ENDPOINT = 'endpoint:';

/** An OpenAI-compatible endpoint that the settings name: `endpoint:<name>`. */
export type EndpointId = `${typeof ENDPOINT}${string}`;

/** Server of a model. `router` opens with a user's own key: its models are never in the catalog (`byok/`). */
export type ProviderId = BuiltInProvider | 'router' | EndpointId;

/** Flat price of a model's tokens. */
export interface ModelPrice {
  readonly inputUsdPerMillion: number;
  readonly outputUsdPerMillion: number;
  /** Price of prompt tokens read from a cache; absent means they cost what others do. */
  readonly cachedInputUsdPerMillion?: number;
  /** Price of prompt tokens written to a cache; likewise. */
  readonly cacheWriteInputUsdPerMillion?: number;
}

/** Ability of a model. One that is not known is tried, and the provider may refuse it. */
export type Ability = boolean | 'unknown';

/** Facts about a model. */
export interface ModelRow {
  readonly id: string;
  readonly name: string;
  readonly provider: ProviderId;
  /** The name the provider knows it by. */
  readonly providerModel: string;
  /** Context window in tokens; null when unknown. */
  readonly contextTokens: number | null;
  /** Output limit in tokens, where the protocol demands that one is sent. */
  readonly maxOutputTokens?: number;
  /** False for models that refuse temperature and top_p: the settings are then not sent. */
  readonly sampling: boolean;
  /** True where its reasoning effort can be set. Absent: it is not sent. */
  readonly reasoningEffort?: boolean;
  /** Longest silence before its first text: `firstEventMs`. Absent: as most models. */
  readonly firstEventSeconds?: number;
  /** Its template opens the thought: on a server that does not part thoughts from text, only their end is seen. */
  readonly thoughtsUnopened?: boolean;
  readonly vision: Ability;
  readonly tools: Ability;
  /** True where it may search the web if its provider has a search. Absent: as `tools` says. */
  readonly webSearch?: boolean;
  /** Goes before the price list (`prices.ts`). */
  readonly price?: ModelPrice;
  /** Provider under which the price list has it, where that is not `provider`. */
  readonly listedBy?: ProviderId;
}

/** Fields of a deployment for one model, over those of the built-in row, or of the id's family. */
export type ModelOverride = Partial<Omit<ModelRow, 'contextTokens'>> & {
  readonly id: string;
  readonly contextTokens?: number;
};

/** The models of one deployment. */
export interface Catalog {
  /** The curated rows, each as the deployment overrides it, then the rows it adds. */
  readonly rows: readonly ModelRow[];
  /** The ids that the deployment's settings name. */
  readonly overridden: ReadonlySet<string>;
  /** The row of any model id. Never fails: an unknown id passes through unchanged, with the facts of its family. */
  modelOf(id: string): ModelRow;
  /** True of an id of a row, or of a family: any other may be a model's only where a server takes all ids. */
  knows(id: string): boolean;
  /** True where a server of one's own is asked for ids that the catalog does not know. */
  readonly takesAnyId: boolean;
  /** The id of a model given by its display name; an unknown name is taken as an id. */
  modelIdOfName(name: string): string;
}

/** Kept by hand; what a row leaves out is as for most models, and its context as the price list says. */
const CURATED: Readonly<Record<BuiltInProvider, readonly (ModelOverride & { readonly name: string })[]>> = curated;
/** Their rows in the price list, kept by `npm run refresh-catalog` and read here instead of the list: that is large. */
const LISTED: Readonly<Record<string, { readonly contextTokens?: number; readonly prices: unknown }>> = listed.models;

/** The demo models cost what a small model costs, so that the ledger can be seen at work. */
const SCRIPTED_PRICE: ModelPrice = { inputUsdPerMillion: 0.1, outputUsdPerMillion: 0.4 };

/** Longest silence of a model before its first text; of one that thinks first, and may not show that it does. */
const FIRST_EVENT_SECONDS = 120;
const THINKING_SECONDS = 300;

/** Properties of all ids that begin so. */
interface Family {
  readonly ids: RegExp;
  readonly provider: BuiltInProvider;
  readonly sampling: boolean;
  readonly thinks?: true;
  /** True where its reasoning effort can be set. */
  readonly effort?: true;
}

/** Families of ids without a row of their own: the first that fits counts. */
const FAMILIES: readonly Family[] = [
  { ids: /^(?:gpt-[56]|o[134])/, provider: 'openai', sampling: false, thinks: true, effort: true },
  { ids: /^(?:chat)?gpt-/, provider: 'openai', sampling: true },
  // Claude models take sampling settings up to Opus 4.6; later ones think of their own accord and answer them with a 400.
  { ids: /^claude-opus-4-[78]/, provider: 'anthropic', sampling: false, thinks: true, effort: true },
  { ids: /^claude-(?:opus-4-[56]|sonnet-4-6)/, provider: 'anthropic', sampling: true, effort: true },
  { ids: /^claude-(?:(?:opus|sonnet|haiku)-4|3)/, provider: 'anthropic', sampling: true },
  { ids: /^claude-/, provider: 'anthropic', sampling: false, thinks: true, effort: true },
  { ids: /^gemini-(?:1|2\.0)/, provider: 'google', sampling: true },
  { ids: /^gemini-/, provider: 'google', sampling: true, thinks: true, effort: true },
  { ids: /^demo-/, provider: 'scripted', sampling: true },
];

/** Models of no family, or of one that does not, say so in their names: `deepseek-r1`, `qwq-32b`, `…:thinking`. */
const THINKING_NAME = /^grok-[4-9]|(?:^|[-:])(?:r1|qwq|magistral|thinking|reason(?:er|ing)?)(?=$|[-:])/;

/** Names of models whose template writes `<think>` into the prompt: `deepseek-r1`, `qwq-32b`, `qwen3-30b-a3b-thinking-2507`, … */
const UNOPENED_NAME = /(?:^|[-_])(?:r1|qwq|minimax-m2)(?=$|[-_:.])|^(?:qwen|kimi).*-thinking(?=$|[-_:])/;

const BUILT_IN: readonly ModelRow[] = (['openai', 'anthropic', 'google', 'scripted'] as const).flatMap((provider) =>
  CURATED[provider].map((row) => ({
    provider,
    providerModel: row.id,
    sampling: true,
    vision: true,
    tools: true,
    ...(provider === 'scripted' && { price: SCRIPTED_PRICE }),
    ...thinkingHabits(row.id),
    ...row,
    contextTokens: row.contextTokens ?? LISTED[row.id]?.contextTokens ?? null,
  })),
);

/** Settings that decide the provider of a model they do not name: `providers` are those that are configured. */
export interface CatalogSettings {
  readonly demoModels?: boolean;
  readonly providers?: Readonly<Partial<Record<ProviderId, { readonly baseUrl?: string | undefined }>>>;
}

/** The models of a deployment. A base URL of OpenAI’s protocol also serves those whose own provider is not configured. */
export function createCatalog(
  overrides: readonly ModelOverride[] = [],
  { demoModels = true, providers = {} }: CatalogSettings = {},
): Catalog {
  const isServed = (provider: ProviderId): boolean => demoModels || provider !== 'scripted';
  const families = FAMILIES.filter(({ provider }) => isServed(provider));
  const isElsewhere = ({ provider }: ModelRow): boolean => provider !== 'scripted' && providers[provider] === undefined;
  const routed = (row: ModelRow): ModelRow =>
    providers.openai?.baseUrl !== undefined && isElsewhere(row)
      ? { ...row, provider: 'openai', listedBy: row.provider }
      : row;
  const familyRow = (id: string): ModelRow => routed(rowByFamily(id, families));
  const byId = new Map(BUILT_IN.filter(({ provider }) => isServed(provider)).map((row) => [row.id, routed(row)]));
  for (const override of overrides) {
    byId.set(override.id, { ...(byId.get(override.id) ?? familyRow(override.id)), ...override });
  }
  const rows = [...byId.values()];
  const byName = new Map(rows.map((row) => [row.name.toLowerCase(), row]));
  return {
    rows,
    overridden: new Set(overrides.map(({ id }) => id)),
    modelOf: (id) => byId.get(id) ?? familyRow(id),
    knows: (id) => byId.has(id) || familyOf(id, families) !== undefined,
    takesAnyId: providers.openai?.baseUrl !== undefined,
    modelIdOfName: (name) => byName.get(name.toLowerCase())?.id ?? name,
  };
}

/** True of a model that an endpoint of the settings serves, not a built-in provider. */
export function isEndpoint(provider: ProviderId): provider is EndpointId {
  return provider.startsWith(ENDPOINT);
}

/** The provider id of an endpoint that the settings name. */
export function endpointId(name: string): EndpointId {
  return `${ENDPOINT}${name}`;
}

/** The name that the settings give an endpoint. */
export function endpointNameOf(provider: EndpointId): string {
  return provider.slice(ENDPOINT.length);
}

/** Longest silence of the model before its first text. */
export function firstEventMs({ firstEventSeconds = FIRST_EVENT_SECONDS }: ModelRow): number {
  return firstEventSeconds * 1_000;
}

/** True of a model that is known to think before it writes: the pace of quick models says nothing of it. */
export function thinksFirst({ firstEventSeconds = 0 }: ModelRow): boolean {
  return firstEventSeconds > FIRST_EVENT_SECONDS;
}

/** The fields of a row that say how it may think, by the id as it stands after a router's prefix. */
export function thinkingHabits(
  id: string,
): Pick<ModelRow, 'firstEventSeconds' | 'thoughtsUnopened' | 'reasoningEffort'> {
  const name = id.slice(id.lastIndexOf('/') + 1).toLowerCase();
  const { thinks = THINKING_NAME.test(name), effort } = familyOf(name, FAMILIES) ?? {};
  return {
    ...(thinks && { firstEventSeconds: THINKING_SECONDS }),
    ...(UNOPENED_NAME.test(name) && { thoughtsUnopened: true }),
    ...(effort && { reasoningEffort: true }),
  };
}

/** An id of no family goes to any OpenAI-compatible server. */
function rowByFamily(id: string, families: readonly Family[]): ModelRow {
  const { provider = 'openai', sampling = true } = familyOf(id, families) ?? {};
  const unknown = { contextTokens: null, vision: 'unknown', tools: 'unknown', ...thinkingHabits(id) } as const;
  const row = { id, name: id, provider, providerModel: id, sampling, ...unknown };
  return provider === 'scripted' ? { ...row, price: SCRIPTED_PRICE } : row;
}

function familyOf(id: string, families: readonly Family[]): Family | undefined {
  return families.find(({ ids }) => ids.test(id));
}
