/*
 * One adapter per provider protocol, a folder each, over `transport/`: the request in the provider's words, and its
 * reply in ours. Adapters import the model port and what they share in `transport/`. They never decide on a retry, and
 * load an SDK on their first call only.
 */
import type { Clock } from '../lib/clock';
import { type BuiltInProvider, isEndpoint, type ProviderId } from '../models/catalog';
import type { ModelProvider } from '../models/model';
import { ModelFault } from '../models/model-fault';
import { createAnthropicProvider } from './anthropic/anthropic';
import { createDemoProvider } from './demo/demo';
import { createGoogleProvider } from './google/google';
import { createOpenAiProvider } from './openai/openai';
import type { ProviderOptions } from './transport/adapter';

/** A provider protocol: where its settings are, and its adapter. */
interface Protocol {
  /** The environment variables of its key and its base URL. */
  readonly keyVariable: string;
  readonly urlVariable: string;
  readonly create: (options: ProviderOptions) => ModelProvider;
}

/** The protocols we speak. */
export const PROTOCOLS: Readonly<Record<Exclude<BuiltInProvider, 'scripted'>, Protocol>> = {
  openai: { keyVariable: 'OPENAI_API_KEY', urlVariable: 'OPENAI_BASE_URL', create: createOpenAiProvider },
  anthropic: { keyVariable: 'ANTHROPIC_API_KEY', urlVariable: 'ANTHROPIC_BASE_URL', create: createAnthropicProvider },
  google: { keyVariable: 'GEMINI_API_KEY', urlVariable: 'GEMINI_BASE_URL', create: createGoogleProvider },
};

/** Address, key and concurrent calls of each provider; one that is left out is not configured. */
export type ProviderSettings = Readonly<
  Partial<Record<ProviderId, ProviderOptions & { readonly concurrency?: number }>>
>;

/** Providers by id, made before or on first use; one that is not configured fails its calls and nothing else. */
export function createProviderTable(
  settings: ProviderSettings,
  clock: Clock,
  made = new Map<string, ModelProvider | undefined>(),
): (id: ProviderId) => ModelProvider {
  return (id) => {
    const provider = made.get(id) ?? create(id);
    made.set(id, provider);
    return provider;
  };

  function create(id: ProviderId): ModelProvider {
    if (id === 'scripted') return createDemoProvider(clock);
    const options = settings[id];
    // A router is called with a user's own key, by the adapter that a run of that user makes.
    if (!options || id === 'router') return NOT_CONFIGURED;
    return PROTOCOLS[isEndpoint(id) ? 'openai' : id].create(options);
  }
}

const NOT_CONFIGURED: ModelProvider = {
  run: () => Promise.reject(new ModelFault('not_configured')),
};
