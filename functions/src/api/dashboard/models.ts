import * as z from 'zod';
import { Suggestions } from '../playground/suggestions';
import { list, named } from '../shared/fields';
import { accountRoute } from '../shared/operation';
import { Model, platformModels } from '../v1/models';

export const listPlatformModels = accountRoute({
  get: '/dashboard/models',
  id: 'listPlatformModels',
  summary: 'List the models that the deployment offers, without the virtual ids',
  reply: named('PlatformModels', () =>
    z.object({ models: list(Model, 'As the API lists them.'), suggestions: Suggestions }),
  ),
  run: async (deps, { startedAtMs }) => ({
    body: { models: platformModels(deps, startedAtMs), suggestions: deps.suggestions },
  }),
});
