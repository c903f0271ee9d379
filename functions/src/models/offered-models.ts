import { SettingsError } from '../lib/settings-reader';
import { type Catalog, isEndpoint, type ModelRow, type ProviderId } from './catalog';
import type { ModelFlaw } from './model-policy';
import { unsearchableModels } from './web-search';

/** Offer of a deployment: the arbiter and the panel where none are named, and the models that are listed. */
export interface OfferedModels {
  readonly defaultModel: string;
  readonly defaultPanel: readonly string[];
  readonly offeredModels: readonly ModelRow[];
  /** Obstacle to calling a model that a request names. */
  readonly modelFlaw: ModelFlaw;
  /** Obstacle to serving a model by this deployment at all. */
  readonly unserved: ModelFlaw;
  /** Obstacle to a model's search of the web. */
  readonly unsearchable: ModelFlaw;
}

/** The settings that decide it; a provider that is left out cannot be called. */
export interface OfferSettings {
  readonly providers: Readonly<Partial<Record<ProviderId, { readonly baseUrl?: string | undefined }>>>;
  readonly defaultModel?: string;
  readonly defaultPanel: readonly string[];
  readonly modelFlaw: ModelFlaw;
  readonly unserved: ModelFlaw;
}

/** A cheap capable model of each provider. */
const DEFAULT_MODELS = { openai: 'gpt-5.4-mini', anthropic: 'claude-haiku-4-5', google: 'gemini-2.5-flash' } as const;
const DEFAULT_PANEL_SIZE = 3;

/** Models of a deployment. Throws where it does not allow the models for requests that name none. */
export function offeredModels(catalog: Catalog, settings: OfferSettings): OfferedModels {
  const { providers, modelFlaw, unserved } = settings;
  const isAllowed = (model: ModelRow): boolean => modelFlaw(model) === undefined;
  const configured = (['openai', 'anthropic', 'google'] as const).filter((id) => providers[id] !== undefined);
  const served = catalog.rows.filter(({ provider }) => isEndpoint(provider));
  const firsts = served.filter((row) => served.find(({ provider }) => provider === row.provider) === row);
  const real = [...configured.map((id) => catalog.modelOf(DEFAULT_MODELS[id])), ...firsts];
  const demo = real.length > 0 ? [] : catalog.rows.filter(({ provider }) => provider === 'scripted');
  const rows = catalog.rows.filter((row) => (demo.includes(row) || isListed(row)) && isAllowed(row));
  // The further demo models show a dissent, a delay and a failure, to those who ask for them.
  const ready = [...real, ...demo.slice(0, DEFAULT_PANEL_SIZE)].filter(isAllowed);
  // Where the usual ones are not allowed, the first that is.
  const own = (ready.length > 0 ? ready : rows.slice(0, 1)).map(({ id }) => id);
  const defaultModel = settings.defaultModel ?? own[0] ?? DEFAULT_MODELS.openai;
  const panel = own.length > 1 ? own : Array.from({ length: DEFAULT_PANEL_SIZE }, () => defaultModel);
  const defaultPanel = settings.defaultPanel.length > 0 ? settings.defaultPanel : panel;
  const named = [defaultModel, ...defaultPanel].map(catalog.modelOf);
  const flawed = named.find((model) => !isAllowed(model));
  if (flawed) {
    throw new SettingsError(
      `DEFAULT_MODEL and DEFAULT_PANEL: ${flawed.id} ${modelFlaw(flawed)} (MODELS_ALLOWED, UNPRICED)`,
    );
  }
  const offered = new Map([...rows, ...named].map((row) => [row.id, row]));
  return {
    ...{ defaultModel, defaultPanel, offeredModels: [...offered.values()], modelFlaw, unserved },
    unsearchable: unsearchableModels(settings),
  };

  /** A custom base URL may serve anything: of its provider only the models named in the settings are listed. */
  function isListed({ id, provider }: ModelRow): boolean {
    const access = providers[provider];
    return access !== undefined && (access.baseUrl === undefined || catalog.overridden.has(id));
  }
}
