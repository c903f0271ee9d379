import { VIRTUAL_MODELS } from '../ensemble/strategies/virtual-models';
import { mayUseModel } from '../guard/key-scope';
import type { Route } from '../http/route';
import { endpointNameOf, isEndpoint, type ModelRow } from '../models/catalog';
import { ratesOf } from '../models/prices';
import type { EndpointDeps } from './endpoint-deps';

/** Fixed: the list is part of a release, and clients sort by it at most. */
const CREATED = 1_767_225_600;

/** `GET /v1/models`: the models on offer and the virtual ids that the key may use, in OpenAI's list shape. Takes no rate slot. */
export function models({ offeredModels, defaultModel, defaultPanel }: EndpointDeps): Route {
  return {
    method: 'GET',
    path: '/v1/models',
    endpoint: 'models',
    limited: false,
    handle: async ({ startedAtMs, caller: { limits } }) => {
      const usable = offeredModels.filter(({ id }) => mayUseModel(limits, id));
      const offered = usable.map((row) => modelBody(row, startedAtMs));
      // A virtual id is as good as the models it stands for.
      const hasEnsemble = [defaultModel, ...defaultPanel].every((id) => mayUseModel(limits, id));
      const virtual = hasEnsemble ? VIRTUAL_MODELS.map(({ id, name }) => listed(id, name, 'ensemble')) : [];
      return { body: { object: 'list', data: [...offered, ...virtual] } };
    },
  };
}

/** `priced` is false where no price is known: calls of such a model cost 0 in the ledger. */
function modelBody(row: ModelRow, nowMs: number): object {
  const { id, name, provider, contextTokens, vision, tools } = row;
  const rates = ratesOf(row, nowMs);
  return {
    ...listed(id, name, isEndpoint(provider) ? endpointNameOf(provider) : provider),
    context_length: contextTokens ?? undefined,
    vision,
    tools,
    priced: rates !== null,
    pricing: rates
      ? {
          input_usd_per_million: rates.inputUsdPerMillion,
          output_usd_per_million: rates.outputUsdPerMillion,
          cached_input_usd_per_million: rates.cachedInputUsdPerMillion,
          cache_write_input_usd_per_million: rates.cacheWriteInputUsdPerMillion,
        }
      : undefined,
  };
}

function listed(id: string, name: string, ownedBy: string): object {
  return { id, object: 'model', created: CREATED, owned_by: ownedBy, name };
}
