/* The models under the address where clients of OpenAI's own server look for them. */
import type { KeyOperation } from '../shared/operation';
import { getModel, listModels } from '../v1/models';

export const listOpenAiModels: KeyOperation = {
  ...listModels,
  ...{ at: 'GET /openai/v1/models', id: 'listOpenAiModels', tag: 'OpenAI' },
};

export const getOpenAiModel: KeyOperation = {
  ...getModel,
  ...{ at: 'GET /openai/v1/models/{id}', id: 'getOpenAiModel', tag: 'OpenAI' },
};
