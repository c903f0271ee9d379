import type { Clock } from '../lib/clock';
import { type Catalog, isEndpoint, type ModelRow, type ProviderId } from './catalog';
import { ratesOf } from './prices';

/** Settings that decide which models a deployment lets its users call. */
export interface ModelPolicySettings {
  /** Patterns of ids, `*` for any characters; none: every model. */
  readonly modelsAllowed: readonly string[];
  readonly unpriced: 'allow' | 'refuse';
}

/** Obstacle to calling a model, in words for the client; undefined for one that may be called. */
export type ModelFlaw = (model: ModelRow) => string | undefined;

/** The rule of a deployment. Router models are not its concern: each user calls them, and pays for them, with a key of one's own. */
export function modelPolicy({ modelsAllowed, unpriced }: ModelPolicySettings, clock: Clock): ModelFlaw {
  return (model) => {
    if (model.provider === 'router') return undefined;
    if (modelsAllowed.length > 0 && !fitsPattern(model.id, modelsAllowed))
      return 'must be a model that this server allows';
    if (unpriced === 'refuse' && ratesOf(model, clock.nowMs()) === null) return 'must be a model with a known price';
    return undefined;
  };
}

/** True of an id that fits a pattern, in which `*` stands for any characters. Linear in the id for each part. */
export function fitsPattern(id: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(id, pattern));
}

function fits(id: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return id === pattern;
  if (!id.startsWith(start) || !id.endsWith(end)) return false;
  // The leftmost place for each part leaves the most room for those after it.
  let at = start.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= id.length - end.length;
}

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

/** Obstacle to serving a model here, in words for the client; undefined for one that may be called. */
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
