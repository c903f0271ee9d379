import type { RouterModelRecord, RouterModelStore } from '../../byok/byok-store';
import { change, type Documents, REMOVED } from '../documents';
import { recordAct } from './acts';
import { fieldsOf, mapKey, propertiesOf, routerModelsRef } from './refs';

/**
 * Router models, all of a user's in `users/{uid}/byok/models`, by hashed slug and with their count; beside them the
 * router key's last four.
 */
export function routerModelRepository(documents: Documents): RouterModelStore {
  return {
    addRouterModels: (userId, added, { max, act }) =>
      documents.change('addRouterModels', {
        read: [routerModelsRef(userId)],
        decide: ([stored]) => {
          const models = modelsOf(stored.fields);
          for (const model of added) {
            models.set(model.slug, { ...model, addedAtMs: models.get(model.slug)?.addedAtMs ?? model.addedAtMs });
          }
          if (models.size > max) return { result: false };
          const entries = [...models.values()].map((model) => [mapKey(model.slug), fieldsOf(model)] as const);
          const fields = { models: Object.fromEntries(entries), count: models.size };
          return { result: true, writes: [change(stored, fields), ...recordAct(act)] };
        },
      }),

    removeRouterModel: (userId, slug, act) => {
      let existed = false;
      return documents.change('removeRouterModel', {
        read: [routerModelsRef(userId)],
        decide: ([stored]) => {
          const models = modelsOf(stored.fields);
          if (!models.delete(slug)) return { result: existed };
          existed = true;
          const fields = { [`models.${mapKey(slug)}`]: REMOVED, count: models.size };
          return { result: true, writes: [change(stored, fields), ...recordAct(act)] };
        },
      });
    },

    listRouterModels: async (userId) => {
      const [{ fields }] = await documents.get('listRouterModels', [routerModelsRef(userId)]);
      return [...modelsOf(fields).values()].sort((a, b) => a.addedAtMs - b.addedAtMs || (a.slug < b.slug ? -1 : 1));
    },
  };
}

function modelsOf({ models = {} }: { readonly models?: Readonly<Record<string, object>> } = {}) {
  const records = Object.values(models).map((fields) => propertiesOf<RouterModelRecord>(fields));
  return new Map(records.map((record) => [record.slug, record]));
}
