import curated from './curated-models.json';
import listed from './listed-models.json';

/** The protocols we speak with a provider of our own choosing. `openai` also serves every OpenAI-compatible base URL. */
export type BuiltInProvider = 'openai' | 'anthropic' | 'google' | 'scripted';

const ENDPOINT = 'endpoint:';

/** An OpenAI-compatible endpoint that the settings name: `endpoint:<name>`. */
export type EndpointId = `${typeof ENDPOINT}${string}`;

/**
 * Who serves a model. `router` is the third-party router that a user's own key opens: such models are never in the
 * catalog, each user adds some (`byok/`).
 */
export type ProviderId = BuiltInProvider | 'router' | EndpointId;

/** What a model's tokens cost, flat. */
export interface ModelPrice {
  readonly inputUsdPerMillion: number;
  readonly outputUsdPerMillion: number;
  /** Of prompt tokens read from a cache; absent means they cost what others do. */
  readonly cachedInputUsdPerMillion?: number;
}

/** What is known of a model. */
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
  readonly vision: boolean;
  readonly tools: boolean;
  /** Goes before the price list (`prices.ts`). */
  readonly price?: ModelPrice;
}

/** What a deployment says of one model: fields over those of the built-in row, or of the id's family. */
export type ModelOverride = Pick<ModelRow, 'id'> &
  Partial<Omit<ModelRow, 'contextTokens'>> & { contextTokens?: number };

/** The models of one deployment. */
export interface Catalog {
  /** The curated rows, each as the deployment overrides it, then the rows it adds. */
  readonly rows: readonly ModelRow[];
  /** The ids that the deployment's settings name. */
  readonly overridden: ReadonlySet<string>;
  /** The row of any model id. Never fails: an unknown id passes through unchanged to its family (spec "ModelId"). */
  modelOf(id: string): ModelRow;
  /** The id of a model given by its display name; an unknown name is taken as an id. */
  modelIdOfName(name: string): string;
}

/** One row of `curated-models.json`, which is kept by hand; what is left out is as for most models. */
interface CuratedRow extends Partial<Omit<ModelRow, 'id' | 'name' | 'provider' | 'contextTokens'>> {
  readonly id: string;
  readonly name: string;
  /** Only where the price list does not know it. */
  readonly contextTokens?: number;
}

const CURATED: Readonly<Record<BuiltInProvider, readonly CuratedRow[]>> = curated;
/** What the price list says of them, kept by `npm run refresh-catalog` and read here instead of the list: that is large. */
const LISTED: Readonly<Record<string, { readonly contextTokens?: number; readonly prices: unknown }>> = listed.models;

/** The demo models cost what a small model costs, so that the books can be seen at work. */
const SCRIPTED_PRICE: ModelPrice = { inputUsdPerMillion: 0.1, outputUsdPerMillion: 0.4 };

const BUILT_IN: readonly ModelRow[] = [
  ...CURATED.openai.map((row) => builtInRow('openai', row)),
  ...CURATED.anthropic.map((row) => builtInRow('anthropic', row)),
  ...CURATED.google.map((row) => builtInRow('google', row)),
  ...CURATED.scripted.map((row) => ({ ...builtInRow('scripted', row), price: SCRIPTED_PRICE })),
];

type Family = { readonly prefix: string } & Pick<ModelRow, 'provider' | 'sampling' | 'price'>;

/** Any OpenAI-compatible server. */
const ANY_SERVER: Family = { prefix: '', provider: 'openai', sampling: true };

/** Where an id goes that has no row of its own: the first family whose prefix fits, else any server. */
const FAMILIES: readonly Family[] = [
  { prefix: 'gpt-5', provider: 'openai', sampling: false },
  { prefix: 'gpt-6', provider: 'openai', sampling: false },
  { prefix: 'o1', provider: 'openai', sampling: false },
  { prefix: 'o3', provider: 'openai', sampling: false },
  { prefix: 'o4', provider: 'openai', sampling: false },
  // Claude models take sampling settings up to Opus 4.6; later ones answer them with a 400.
  { prefix: 'claude-opus-4-7', provider: 'anthropic', sampling: false },
  { prefix: 'claude-opus-4-8', provider: 'anthropic', sampling: false },
  { prefix: 'claude-opus-4', provider: 'anthropic', sampling: true },
  { prefix: 'claude-sonnet-4', provider: 'anthropic', sampling: true },
  { prefix: 'claude-haiku-4', provider: 'anthropic', sampling: true },
  { prefix: 'claude-3', provider: 'anthropic', sampling: true },
  { prefix: 'claude-', provider: 'anthropic', sampling: false },
  { prefix: 'gemini-', provider: 'google', sampling: true },
  { prefix: 'demo-', provider: 'scripted', sampling: true, price: SCRIPTED_PRICE },
];

/** The catalog of a deployment: our rows, and what its settings say of models (`MODEL_OVERRIDES`). */
export function createCatalog(overrides: readonly ModelOverride[] = []): Catalog {
  const byId = new Map(BUILT_IN.map((row) => [row.id, row]));
  for (const override of overrides) {
    byId.set(override.id, { ...(byId.get(override.id) ?? familyRow(override.id)), ...override });
  }
  const rows = [...byId.values()];
  const byName = new Map(rows.map((row) => [row.name.toLowerCase(), row]));
  return {
    rows,
    overridden: new Set(overrides.map(({ id }) => id)),
    modelOf: (id) => byId.get(id) ?? familyRow(id),
    modelIdOfName: (name) => byName.get(name.toLowerCase())?.id ?? name,
  };
}

/** Whether a model is served by an endpoint of the settings, not by a built-in provider. */
export function isEndpoint(provider: ProviderId): provider is EndpointId {
  return provider.startsWith(ENDPOINT);
}

/** The name that the settings give an endpoint. */
export function endpointNameOf(provider: EndpointId): string {
  return provider.slice(ENDPOINT.length);
}

function builtInRow(provider: BuiltInProvider, row: CuratedRow): ModelRow {
  const contextTokens = row.contextTokens ?? LISTED[row.id]?.contextTokens ?? null;
  return { provider, providerModel: row.id, sampling: true, vision: true, tools: true, ...row, contextTokens };
}

function familyRow(id: string): ModelRow {
  const { provider, sampling, price } = FAMILIES.find(({ prefix }) => id.startsWith(prefix)) ?? ANY_SERVER;
  const row = { id, name: id, provider, providerModel: id, contextTokens: null, sampling, vision: false, tools: false };
  return price ? { ...row, price } : row;
}
