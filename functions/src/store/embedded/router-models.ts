import type { RouterModelRecord, RouterModelStore } from '../../byok/byok-store';
import { actRecorder } from './acts';
import type { Connection } from './connection';

type RouterModelRow = Omit<RouterModelRecord, 'vision' | 'tools'> & { readonly vision: number; readonly tools: number };

/** The router models that users have added. */
export function embeddedRouterModels(connection: Connection): RouterModelStore {
  const add = connection.prepare<RouterModelRow & { userId: string }>(`
    INSERT INTO router_models VALUES (:userId, :slug, :name, :contextTokens, :vision, :tools, :addedAtMs)
      ON CONFLICT DO UPDATE SET name = excluded.name, context_tokens = excluded.context_tokens,
        vision = excluded.vision, tools = excluded.tools
  `);
  const remove = connection.prepare<{ userId: string; slug: string }>(
    'DELETE FROM router_models WHERE user_id = :userId AND slug = :slug',
  );
  const list = connection.prepare<{ userId: string }, RouterModelRow>(`
    SELECT slug, name, context_tokens AS contextTokens, vision, tools, added_at_ms AS addedAtMs
      FROM router_models WHERE user_id = :userId ORDER BY added_at_ms, slug
  `);
  const record = actRecorder(connection);

  return {
    addRouterModels: (userId, models, { max, act }) =>
      connection.write(() => {
        const slugs = new Set([...list.all({ userId }), ...models].map(({ slug }) => slug));
        if (slugs.size > max) return false;
        for (const model of models) {
          add.run({ ...model, userId, vision: Number(model.vision), tools: Number(model.tools) });
        }
        record(act);
        return true;
      }),
    removeRouterModel: (userId, slug, act) =>
      connection.write(() => {
        if (remove.run({ userId, slug }) === 0) return false;
        record(act);
        return true;
      }),
    listRouterModels: (userId) =>
      connection.read(() =>
        list.all({ userId }).map((row) => ({ ...row, vision: row.vision === 1, tools: row.tools === 1 })),
      ),
  };
}
