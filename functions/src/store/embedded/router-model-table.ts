import type { DatabaseSync } from 'node:sqlite';
import type { RouterModelRecord } from '../byok-store';
import { prepare } from './statement';

type RouterModelRow = Omit<RouterModelRecord, 'vision' | 'tools'> & { readonly vision: number; readonly tools: number };

/** The router models that users have added. Every function is synchronous. */
export function routerModelTable(db: DatabaseSync) {
  const add = prepare<[string, string, string, number | null, number, number, number]>(
    db,
    `INSERT INTO router_models VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
       SET name = excluded.name, context_tokens = excluded.context_tokens, vision = excluded.vision,
           tools = excluded.tools`,
  );
  const remove = prepare<[string, string]>(db, 'DELETE FROM router_models WHERE user_id = ? AND slug = ?');
  const list = prepare<[string], RouterModelRow>(
    db,
    `SELECT slug, name, context_tokens AS contextTokens, vision, tools, added_at_ms AS addedAtMs
       FROM router_models WHERE user_id = ? ORDER BY added_at_ms, slug`,
  );

  return {
    /** To be run in a write transaction. */
    add: (userId: string, models: readonly RouterModelRecord[], max: number): boolean => {
      const slugs = new Set([...list.all(userId), ...models].map(({ slug }) => slug));
      if (slugs.size > max) return false;
      for (const { slug, name, contextTokens, vision, tools, addedAtMs } of models) {
        add.run(userId, slug, name, contextTokens, Number(vision), Number(tools), addedAtMs);
      }
      return true;
    },
    remove: (userId: string, slug: string): boolean => remove.run(userId, slug) === 1,
    list: (userId: string): RouterModelRecord[] =>
      list.all(userId).map((row) => ({ ...row, vision: row.vision === 1, tools: row.tools === 1 })),
  };
}
