import * as z from 'zod';
import { refuse } from '../../errors';
import { always, count, flag, list, moment, named, type Sent, text } from '../../lib/reply-schemas';
import { MODELS_LISTED } from '../../models/model-policy';
import { keyRoute } from '../shared/operation';
import { type Model, modelsOf } from '../v1/models';

const AnthropicModel = named('AnthropicModel', () =>
  z.object({
    type: always('model'),
    id: text('What a request names.'),
    display_name: text('Its name for people.'),
    created_at: moment('The same for all.'),
    max_input_tokens: count('The context window in tokens, when known.').nullable(),
  }),
);
const AnthropicModelList = named('AnthropicModelList', () =>
  z.object({
    data: list(AnthropicModel, 'What the key may use.'),
    has_more: flag('False: the list is whole.'),
    first_id: text('The first id of the list.').nullable(),
    last_id: text('The last one.').nullable(),
  }),
);

export const listAnthropicModels = keyRoute({
  at: 'GET /anthropic/v1/models',
  ...{ endpoint: 'models', id: 'listAnthropicModels', tag: 'Anthropic' },
  summary: 'List the models served and the virtual ids',
  reply: AnthropicModelList,
  run: async (deps, request) => {
    const data = (await modelsOf(deps, request)).map(modelBody);
    return { body: { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null } };
  },
});

export const getAnthropicModel = keyRoute({
  at: 'GET /anthropic/v1/models/{id}',
  ...{ endpoint: 'models', id: 'getAnthropicModel', tag: 'Anthropic' },
  summary: 'Give one of them',
  resource: 'The id of a model, such as `ensemble`; slashes in it may be encoded or not.',
  reply: AnthropicModel,
  run: async (deps, request) => {
    const model = (await modelsOf(deps, request)).find(({ id }) => id === request.resourceId);
    return model ? { body: modelBody(model) } : refuse('not_found', `Unknown model: ${MODELS_LISTED}`);
  },
});

function modelBody({ id, name, created, context_length: tokens }: Model): Sent<typeof AnthropicModel> {
  const created_at = new Date(created * 1_000).toISOString();
  return { type: 'model', id, display_name: name, created_at, max_input_tokens: tokens ?? null };
}
