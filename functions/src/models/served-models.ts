import { type Catalog, isEndpoint, type ProviderId } from './catalog';
import type { ModelFlaw } from './model-policy';

/** Settings that decide which models a deployment can call at all. */
export interface ServedSettings {
  /** Those that are configured. */
  readonly providers: Readonly<Partial<Record<ProviderId, unknown>>>;
  readonly demoModels: boolean;
}

const NAMES = { openai: 'OpenAI', anthropic: 'Anthropic', google: 'Gemini' } as const;
/** Pointer for clients to the models that they may ask. */
export const MODELS_LISTED = 'GET /v1/models lists what this server serves';
/** The same behind words that name the server. */
const WHERE = 'GET /v1/models lists what it serves';

/**
 * Obstacle to serving a model here, in words for the client; undefined for one that may be called. Whether a
 * provider that is configured knows the id shows only when it is asked.
 */
export function servedModels({ providers, demoModels }: ServedSettings, catalog: Catalog): ModelFlaw {
  return (model) => {
    const { id, provider } = model;
    if (provider === 'router' || isEndpoint(provider)) return undefined;
    if (provider === 'scripted') {
      const isKnown = demoModels && catalog.rows.some((row) => row.id === id);
      return isKnown || providers.scripted !== undefined ? undefined : `no demo model has this id; ${WHERE}`;
    }
    if (providers[provider] !== undefined) return undefined;
    if (!catalog.knows(id)) return `no provider of this server knows it; ${WHERE}`;
    return `no ${NAMES[provider]} key is configured on this server; ${WHERE}`;
  };
}
