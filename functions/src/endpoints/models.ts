import { endpointNameOf, isEndpoint, type ModelPrice, type ProviderId } from '../models/catalog';
import { ratesOf } from '../models/prices';
import { json, type Route } from './endpoint';
import type { Services } from './services';
import { VIRTUAL_MODELS } from './virtual-models';

/** Fixed: the list is part of a release, and clients sort by it at most. */
const CREATED = 1_767_225_600;

/**
 * `GET /v1/models`: the catalog and the virtual ids, in OpenAI's list shape. Costs no rate slot (design §4). `priced`
 * is false where no price is known: calls to such a model are booked at cost 0.
 */
export function models(services: Services): Route {
  return {
    method: 'GET',
    path: '/v1/models',
    limited: false,
    handle: async ({ startedAtMs }) => {
      const catalog = services.models.map((row) => ({
        ...listed(row.id, row.name, ownerOf(row.provider)),
        ...(row.contextTokens !== null && { context_length: row.contextTokens }),
        vision: row.vision,
        tools: row.tools,
        ...pricing(ratesOf(row, startedAtMs)),
      }));
      const virtual = VIRTUAL_MODELS.map(({ id, name }) => listed(id, name, 'ensemble'));
      return json({ object: 'list', data: [...catalog, ...virtual] });
    },
  };
}

function ownerOf(provider: ProviderId): string {
  return isEndpoint(provider) ? endpointNameOf(provider) : provider;
}

function pricing(rates: ModelPrice | null): object {
  if (!rates) return { priced: false };
  const { inputUsdPerMillion: input, outputUsdPerMillion: output, cachedInputUsdPerMillion: cached } = rates;
  return {
    priced: true,
    pricing: {
      input_usd_per_million: input,
      output_usd_per_million: output,
      ...(cached !== undefined && { cached_input_usd_per_million: cached }),
    },
  };
}

function listed(id: string, name: string, ownedBy: string): object {
  return { id, object: 'model', created: CREATED, owned_by: ownedBy, name };
}
