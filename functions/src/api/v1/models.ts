import * as z from 'zod';
import { mayUseModel } from '../../access/guard';
import { VIRTUAL_MODELS, virtualModel } from '../../ensemble/strategies/strategies';
import { refuse } from '../../errors';
import type { ApiRequest } from '../../http/route';
import { ability, always, amount, count, flag, list, named, type Sent, text } from '../../lib/reply-schemas';
import { endpointNameOf, isEndpoint, type ModelRow } from '../../models/catalog';
import { MODELS_LISTED } from '../../models/model-policy';
import { ratesOf } from '../../models/prices';
import type { EndpointDeps } from '../deps';
import { keyRoute } from '../shared/operation';

type ShownModels = Pick<EndpointDeps, 'catalog' | 'modelChoice' | 'unsearchable'>;

const OWN_SERVER = 'own-server';

/** Fixed: the list is part of a release, and clients sort by it at most. */
const CREATED = 1_767_225_600;

const perMillion = (of: string) => amount(`US dollars for a million tokens of ${of}.`);

/** A model in OpenAI's shape, with more that is known of it. */
export const Model = named('Model', () =>
  z.object({
    id: text('What a request names.'),
    object: always('model'),
    created: count('The same for all.'),
    owned_by: text(
      'The provider, the name of an endpoint of the settings, `own-server` behind `OPENAI_BASE_URL`, or `ensemble` for virtual ids.',
    ),
    name: text('The display name.'),
    context_length: count('The context window in tokens, when known.').optional(),
    vision: ability('Whether the model can take images; not on virtual ids.').optional(),
    tools: ability('Whether the model itself can call tools; not on virtual ids.').optional(),
    web_search: ability('Whether it searches the web where that is asked for; not on virtual ids.').optional(),
    priced: flag('Whether a price is known; not on virtual ids.').optional(),
    pricing: z
      .object({
        input_usd_per_million: perMillion('prompts'),
        output_usd_per_million: perMillion('replies'),
        cached_input_usd_per_million: perMillion('prompts that are cached').optional(),
        cache_write_input_usd_per_million: perMillion('prompts that are written into a cache').optional(),
      })
      .optional(),
  }),
);
export type Model = Sent<typeof Model>;

const ModelList = named('ModelList', () =>
  z.object({ object: always('list'), data: list(Model, 'What the key may use.') }),
);

export const listModels = keyRoute({
  at: 'GET /v1/models',
  endpoint: 'models',
  id: 'listModels',
  tag: 'Models',
  summary: 'List the models served and the virtual ids',
  reply: ModelList,
  run: async (deps, request) => ({ body: { object: 'list' as const, data: await modelsOf(deps, request) } }),
});

export const getModel = keyRoute({
  at: 'GET /v1/models/{id}',
  endpoint: 'models',
  id: 'getModel',
  tag: 'Models',
  summary: 'Give one of them',
  resource: 'The id of a model, such as `ensemble`; slashes in it may be encoded or not.',
  reply: Model,
  run: async (deps, request) => {
    const body = (await modelsOf(deps, request)).find(({ id }) => id === request.resourceId);
    return body ? { body } : refuse('not_found', `Unknown model: ${MODELS_LISTED}`);
  },
});

/** The models to choose from, in the same shape, and the state of the list of a server of one's own. */
export async function platformModels(deps: ShownModels, nowMs: number) {
  const { rows, list } = await deps.modelChoice();
  return { models: rows.map((row) => modelBody(deps, row, nowMs)), list };
}

export async function modelsOf(deps: EndpointDeps, { startedAtMs, caller: { limits } }: ApiRequest): Promise<Model[]> {
  const { modelChoice, defaultModel, defaultPanel } = deps;
  const { rows } = await modelChoice();
  const usable = rows.filter(({ id }) => mayUseModel(limits, id) && !virtualModel(id));
  const offered = usable.map((row) => modelBody(deps, row, startedAtMs));
  // A virtual id is as good as the models it stands for.
  const hasEnsemble = [defaultModel, ...defaultPanel].every((id) => mayUseModel(limits, id));
  const virtual = hasEnsemble ? VIRTUAL_MODELS.map(({ id, name }) => listed(id, name, 'ensemble')) : [];
  return [...offered, ...virtual];
}

/** `priced` is false where no price is known: calls of such a model cost 0 in the ledger. */
function modelBody({ catalog, unsearchable }: ShownModels, row: ModelRow, nowMs: number): Model {
  const { id, name, provider, contextTokens, vision, tools, webSearch = tools } = row;
  const isOwn = provider === 'openai' && catalog.takesAnyId;
  const rates = ratesOf(row, nowMs);
  return {
    ...listed(id, name, isOwn ? OWN_SERVER : isEndpoint(provider) ? endpointNameOf(provider) : provider),
    context_length: contextTokens ?? undefined,
    vision,
    tools,
    web_search: unsearchable(row) === undefined && webSearch,
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

function listed(id: string, name: string, ownedBy: string) {
  return { id, object: 'model', created: CREATED, owned_by: ownedBy, name } as const;
}
