import type { RouterModelRecord, RouterModelStore } from '../../byok/byok-store';
import { recordAct } from './acts';
import type { FirestoreClient } from './client';
import { fieldsOf, mapKey, propertiesOf, replace, routerModelsRef, unchanged } from './documents';
import type { Session } from './session';

/**
 * Router models, all of a user's in `users/{uid}/byok/models`, by hashed slug and with their count; beside them the
 * router key's last four. A write fails unless they are still those it was decided by.
 */
export function firestoreRouterModels(client: FirestoreClient): RouterModelStore {
  return {
    addRouterModels: (userId, added, { max, act }) =>
      client.decide('addRouterModels', async (session) => {
        const { document, models } = await read(session, userId);
        for (const model of added) {
          models.set(model.slug, { ...model, addedAtMs: models.get(model.slug)?.addedAtMs ?? model.addedAtMs });
        }
        if (models.size > max) return false;
        const stored = [...models.values()].map((model) => [mapKey(model.slug), fieldsOf(model)] as const);
        const fields = { models: Object.fromEntries(stored), count: models.size };
        await session.commit((writes) => {
          replace(writes, document, fields);
          recordAct(session, writes, act);
        });
        return true;
      }),

    removeRouterModel: async (userId, slug, act) => {
      let existed = false;
      await client.decide('removeRouterModel', async (session) => {
        const { document, models } = await read(session, userId);
        if (!models.delete(slug)) return;
        existed = true;
        const fields = { [`models.${mapKey(slug)}`]: session.FieldValue.delete(), count: models.size };
        await session.commit((writes) => {
          writes.update(document.ref, fields, unchanged(document));
          recordAct(session, writes, act);
        });
      });
      return existed;
    },

    listRouterModels: (userId) =>
      client.run('listRouterModels', async (session) => {
        const { models } = await read(session, userId);
        return [...models.values()].sort((a, b) => a.addedAtMs - b.addedAtMs || (a.slug < b.slug ? -1 : 1));
      }),
  };
}

async function read(session: Session, userId: string) {
  const [document] = await session.read([routerModelsRef(session.db, userId)]);
  const stored: readonly object[] = Object.values(document.get('models') ?? {});
  const records = stored.map((fields) => propertiesOf<RouterModelRecord>(fields));
  return { document, models: new Map(records.map((record) => [record.slug, record])) };
}
