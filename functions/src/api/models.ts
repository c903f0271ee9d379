import { mayUseModel } from '../access/key-scope';
import { VIRTUAL_MODELS } from '../ensemble/strategies/virtual-models';
import { refuse } from '../errors';
import type { ApiRequest, Route } from '../http/route';
import { endpointNameOf, isEndpoint, type ModelRow } from '../models/catalog';
import { ratesOf } from '../models/prices';
import { MODELS_LISTED } from '../models/served-models';
import type { EndpointDeps } from './endpoint-deps';

/** What is shown of models. */
type ShownModels = Pick<EndpointDeps, 'offeredModels' | 'unsearchable'>;

/** A model in OpenAI's shape, with what is known of it beside. */
interface Listed {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** Fixed: the list is part of a release, and clients sort by it at most. */
const CREATED = 1_767_225_600;

/** `GET /v1/models`: the models on offer and the virtual ids that the key may use, in OpenAI's list shape. Takes no rate slot. */
export function models(deps: EndpointDeps): Route {
  return {
    method: 'GET',
    path: '/v1/models',
    endpoint: 'models',
    limited: false,
    handle: async (request) => ({ body: { object: 'list', data: listOf(deps, request) } }),
  };
}

/** `GET /v1/models/{id}`: one row of that list; 404 for what is not in it. An id may have slashes, encoded or not. */
export function oneModel(deps: EndpointDeps): Route {
  return {
    method: 'GET',
    path: '/v1/models/{id}',
    endpoint: 'models',
    limited: false,
    handle: async (request) => {
      const body = listOf(deps, request).find(({ id }) => id === request.resourceId);
      return body ? { body } : refuse('not_found', `Unknown model: ${MODELS_LISTED}`);
    },
  };
}

/** The models that a deployment offers, in the same shape. */
export function platformModels(deps: ShownModels, nowMs: number): object[] {
  return deps.offeredModels.map((row) => modelBody(deps, row, nowMs));
}

function listOf(deps: EndpointDeps, { startedAtMs, caller: { limits } }: ApiRequest): Listed[] {
  const { offeredModels, defaultModel, defaultPanel } = deps;
  const usable = offeredModels.filter(({ id }) => mayUseModel(limits, id));
  const offered = usable.map((row) => modelBody(deps, row, startedAtMs));
  // A virtual id is as good as the models it stands for.
  const hasEnsemble = [defaultModel, ...defaultPanel].every((id) => mayUseModel(limits, id));
  const virtual = hasEnsemble ? VIRTUAL_MODELS.map(({ id, name }) => listed(id, name, 'ensemble')) : [];
  return [...offered, ...virtual];
}

/** `priced` is false where no price is known: calls of such a model cost 0 in the ledger. */
function modelBody({ unsearchable }: ShownModels, row: ModelRow, nowMs: number): Listed {
  const { id, name, provider, contextTokens, vision, tools } = row;
  const rates = ratesOf(row, nowMs);
  return {
    ...listed(id, name, isEndpoint(provider) ? endpointNameOf(provider) : provider),
    context_length: contextTokens ?? undefined,
    vision,
    tools,
    web_search: unsearchable(row) === undefined,
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

function listed(id: string, name: string, ownedBy: string): Listed {
  return { id, object: 'model', created: CREATED, owned_by: ownedBy, name };
}
