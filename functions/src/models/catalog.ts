/**
 * The protocols we speak. `openai` also serves every OpenAI-compatible base URL; `router` is the third-party router that
 * a user's own key opens: such models are never in the catalog, each user adds some (`byok/`).
 */
export type ProviderId = 'openai' | 'anthropic' | 'google' | 'scripted' | 'router';

/** What is known of a model. Prices live apart (`prices.ts`). */
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
}

type Row = readonly [id: string, name: string, contextTokens: number, flags?: Partial<ModelRow>];

const REASONING: Partial<ModelRow> = { sampling: false };
const OPENAI_ROWS: readonly Row[] = [
  ['gpt-5.5', 'GPT-5.5', 1_000_000, REASONING],
  ['gpt-5.4-mini', 'GPT-5.4 mini', 400_000, REASONING],
  ['gpt-5.4-nano', 'GPT-5.4 nano', 400_000, REASONING],
  ['gpt-5-mini', 'GPT-5 mini', 400_000, REASONING],
  ['gpt-4.1', 'GPT-4.1', 1_000_000],
  ['gpt-4.1-mini', 'GPT-4.1 mini', 1_000_000],
  ['gpt-4o', 'GPT-4o', 128_000],
  ['gpt-4o-mini', 'GPT-4o mini', 128_000],
  ['o4-mini', 'o4-mini', 200_000, REASONING],
];
const ANTHROPIC_ROWS: readonly Row[] = [
  ['claude-opus-4-8', 'Claude Opus 4.8', 1_000_000, { maxOutputTokens: 32_000 }],
  ['claude-sonnet-5', 'Claude Sonnet 5', 1_000_000, { maxOutputTokens: 32_000 }],
  ['claude-sonnet-4-5', 'Claude Sonnet 4.5', 200_000, { maxOutputTokens: 32_000 }],
  ['claude-haiku-4-5', 'Claude Haiku 4.5', 200_000, { maxOutputTokens: 32_000 }],
];
const GOOGLE_ROWS: readonly Row[] = [
  ['gemini-3.1-pro-preview', 'Gemini 3.1 Pro Preview', 1_048_576],
  ['gemini-3.5-flash', 'Gemini 3.5 Flash', 1_000_000],
  ['gemini-2.5-pro', 'Gemini 2.5 Pro', 1_048_576],
  ['gemini-2.5-flash', 'Gemini 2.5 Flash', 1_048_576],
];
const SCRIPTED_ROWS: readonly Row[] = [
  ['demo-ada', 'Demo Ada', 32_000, { vision: false, tools: false }],
  ['demo-blaise', 'Demo Blaise', 32_000, { vision: false, tools: false }],
  ['demo-curie', 'Demo Curie', 32_000, { vision: false, tools: false }],
];

/** Every model we list, by provider, in the order shown. */
export const CATALOG: readonly ModelRow[] = [
  ...OPENAI_ROWS.map((row) => modelRow('openai', row)),
  ...ANTHROPIC_ROWS.map((row) => modelRow('anthropic', row)),
  ...GOOGLE_ROWS.map((row) => modelRow('google', row)),
  ...SCRIPTED_ROWS.map((row) => modelRow('scripted', row)),
];

/** Where an id goes that has no row of its own: the first family whose prefix fits, else any OpenAI-compatible server. */
const FAMILIES: readonly { readonly prefix: string; readonly provider: ProviderId; readonly sampling: boolean }[] = [
  { prefix: 'gpt-5', provider: 'openai', sampling: false },
  { prefix: 'gpt-6', provider: 'openai', sampling: false },
  { prefix: 'o1', provider: 'openai', sampling: false },
  { prefix: 'o3', provider: 'openai', sampling: false },
  { prefix: 'o4', provider: 'openai', sampling: false },
  { prefix: 'claude-', provider: 'anthropic', sampling: true },
  { prefix: 'gemini-', provider: 'google', sampling: true },
  { prefix: 'demo-', provider: 'scripted', sampling: true },
  { prefix: '', provider: 'openai', sampling: true },
];

const byId = new Map(CATALOG.map((row) => [row.id, row]));
const byName = new Map(CATALOG.map((row) => [row.name.toLowerCase(), row]));

/** The row of any model id. Never fails: an unknown id passes through unchanged to its family (spec "ModelId"). */
export function modelOf(id: string): ModelRow {
  const known = byId.get(id);
  if (known) return known;
  const family = FAMILIES.find(({ prefix }) => id.startsWith(prefix));
  return {
    id,
    name: id,
    provider: family?.provider ?? 'openai',
    providerModel: id,
    contextTokens: null,
    sampling: family?.sampling ?? true,
    vision: false,
    tools: false,
  };
}

/** The id of a model given by its display name; an unknown name is taken as an id. */
export function modelIdOfName(name: string): string {
  return byName.get(name.toLowerCase())?.id ?? name;
}

function modelRow(provider: ProviderId, [id, name, contextTokens, flags]: Row): ModelRow {
  return { id, name, provider, providerModel: id, contextTokens, sampling: true, vision: true, tools: true, ...flags };
}
