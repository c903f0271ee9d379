import { json, type Route } from './endpoint';
import type { Services } from './services';
import { VIRTUAL_MODELS } from './virtual-models';

/** Fixed: the list is part of a release, and clients sort by it at most. */
const CREATED = 1_767_225_600;

/** `GET /v1/models`: the catalog and the virtual ids, in OpenAI's list shape. Costs no rate slot (design §4). */
export function models(services: Services): Route {
  return {
    method: 'GET',
    path: '/v1/models',
    limited: false,
    handle: async () => {
      const catalog = services.models.map(({ id, name, provider, contextTokens, vision, tools }) => ({
        ...listed(id, name, provider),
        ...(contextTokens !== null && { context_length: contextTokens }),
        vision,
        tools,
      }));
      const virtual = VIRTUAL_MODELS.map(({ id, name }) => listed(id, name, 'ensemble'));
      return json({ object: 'list', data: [...catalog, ...virtual] });
    },
  };
}

function listed(id: string, name: string, ownedBy: string): object {
  return { id, object: 'model', created: CREATED, owned_by: ownedBy, name };
}
