import type { Fields, Ref } from '../documents';
import type { Prepare } from './statement';

/** Fields with a column of their own, which is what indexes are made of. */
export const INDEXED = ['uid', 'state', 'month', 'at', 'settledAt'] as const;

/** Written with every request, which pays for each index: a user has few logs, and old records are found by their end. */
const WITHOUT_EXPIRY: ReadonlySet<string> = new Set(['rateLimits', 'usageLedger']);

export type PutDocument = (ref: Ref<object>, fields: object) => void;

/** Prepares the storing of whole documents; to be run in a transaction. */
export function documentPutter(prepare: Prepare): PutDocument {
  const columns = ['path', 'kind', 'fields', 'bytes', 'expireAt', ...INDEXED];
  const put = prepare<Record<string, unknown>>(`
    INSERT INTO documents (${columns}) VALUES (${columns.map((column) => `:${column}`)})
      ON CONFLICT (path) DO UPDATE SET ${columns.slice(2).map((column) => `${column} = excluded.${column}`)}
  `);
  return (ref, fields) => {
    const { bytes, expireAt = null, ...others }: Fields = { ...fields };
    const { uid = null, state = null, month = null, at = null, settledAt = null } = others;
    const kind = ref.path.at(-2) ?? '';
    put.run({
      path: pathOf(ref),
      kind,
      fields: JSON.stringify(expireAt === null ? others : { ...others, expireAt }),
      bytes: bytes instanceof Uint8Array ? bytes : null,
      expireAt: WITHOUT_EXPIRY.has(kind) ? null : expireAt,
      ...{ uid, state, month, at, settledAt },
    });
  };
}

/** Ids are free text, also with slashes. */
export function pathOf({ path }: Ref<object>): string {
  return path.map((name) => name.replace(/[%/]/g, encodeURIComponent)).join('/');
}
