import type { DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import type { RouterModelRecord, RouterModelStore } from '../byok-store';
import type { FirestoreClient } from './client';
import { mapKey, routerModelsRef } from './refs';
import type { Session } from './session';

const BUDGET_MS = 5_000;

interface StoredModel<Time> extends Omit<RouterModelRecord, 'addedAtMs'> {
  readonly addedAt: Time;
}

/** `users/{uid}/byok/models`: the models by hashed slug, and how many; beside them the router key's last four. */
interface ModelsFields<Time> {
  readonly models?: Readonly<Record<string, StoredModel<Time>>>;
  readonly count?: number;
  readonly last4?: string;
}

/** Router models, all of a user's in one document; a write fails unless they are still those it was decided by. */
export function firestoreRouterModels(client: FirestoreClient): RouterModelStore {
  const run = <T>(name: string, work: (session: Session) => Promise<T>) =>
    client.run({ name, budgetMs: BUDGET_MS }, work);

  return {
    addRouterModels: (userId, models, max) =>
      run('addRouterModels', (session) => session.untilDecided(() => add(session, userId, { models, max }))),

    removeRouterModel: (userId, slug) =>
      run('removeRouterModel', async (session) => {
        let existed = false;
        await session.untilDecided(async () => {
          const { ref, models, updateTime } = await read(session, userId);
          if (!updateTime || !models.delete(slug)) return;
          existed = true;
          const fields = { [`models.${mapKey(slug)}`]: session.sdk.FieldValue.delete(), count: models.size };
          await session.commit((writes) => writes.update(ref, fields, { lastUpdateTime: updateTime }));
        });
        return existed;
      }),

    listRouterModels: (userId) =>
      run('listRouterModels', async (session) => {
        const { models } = await read(session, userId);
        return [...models.values()].sort((a, b) => a.addedAtMs - b.addedAtMs || (a.slug < b.slug ? -1 : 1));
      }),
  };
}

interface Addition {
  readonly models: readonly RouterModelRecord[];
  readonly max: number;
}

async function add(session: Session, userId: string, { models, max }: Addition): Promise<boolean> {
  const { ref, models: known, updateTime } = await read(session, userId);
  for (const model of models) {
    known.set(model.slug, { ...model, addedAtMs: known.get(model.slug)?.addedAtMs ?? model.addedAtMs });
  }
  if (known.size > max) return false;
  const stored = [...known.values()].map((model) => [mapKey(model.slug), storedModel(model)] as const);
  const fields = { models: Object.fromEntries(stored), count: known.size };
  await session.commit((writes) => {
    if (updateTime) writes.update(ref, fields, { lastUpdateTime: updateTime });
    else writes.create(ref, fields);
  });
  return true;
}

async function read(session: Session, userId: string) {
  const ref = routerModelsRef(session.db, userId);
  const [snapshot] = await session.read([ref]);
  return { ref, models: modelsOf(snapshot), updateTime: snapshot?.updateTime };
}

function modelsOf(snapshot: DocumentSnapshot | undefined): Map<string, RouterModelRecord> {
  const { models = {} } = (snapshot?.data() ?? {}) as ModelsFields<Timestamp>;
  const records = Object.values(models).map(({ slug, name, contextTokens, vision, tools, addedAt }) => ({
    slug,
    name,
    contextTokens,
    vision,
    tools,
    addedAtMs: addedAt.toMillis(),
  }));
  return new Map(records.map((record) => [record.slug, record]));
}

function storedModel({ slug, name, contextTokens, vision, tools, addedAtMs }: RouterModelRecord): StoredModel<Date> {
  return { slug, name: name.toWellFormed(), contextTokens, vision, tools, addedAt: new Date(addedAtMs) };
}
