import type { Fields, Ref } from '../documents';
import type { Prepare, Statement } from './statement';

/** Fields with a column of their own, which is what indexes are made of. */
const INDEXED = ['uid', 'state', 'month', 'at', 'settledAt', 'startedAt', 'to'] as const;
const COLUMNS = ['fields', 'bytes', 'expireAt', ...INDEXED] as const;

/** Written with every request, which pays for each index: a user has few logs, and old records are found by their end. */
const WITHOUT_EXPIRY: ReadonlySet<string> = new Set(['rateLimits', 'usageLedger']);

type Columns = Readonly<Record<(typeof COLUMNS)[number], unknown>>;

/** Rows of the table `documents`; all is to be run in a transaction. */
export interface Rows {
  insert(ref: Ref<object>, fields: Fields): void;
  update(row: { readonly ref: Ref<object>; readonly id: unknown }, before: Fields, after: Fields): void;
}

export function rowsOf(prepare: Prepare): Rows {
  const names = ['path', 'kind', 'parent', ...COLUMNS];
  const insertion = prepare<object>(
    `INSERT INTO documents (${names.map(quoted)}) VALUES (${names.map((name) => `:${name}`)})`,
  );
  const updates = new Map<string, Statement<object, never>>();
  return {
    insert: (ref, fields) => {
      const kind = kindOf(ref);
      const parent = ref.path.length > 2 ? pathOf({ path: ref.path.slice(0, -2) }) : null;
      insertion.run(Object.assign(columnsOf(kind, fields), { path: pathOf(ref), kind, parent }));
    },
    /** Columns that stay are not set: each that is costs the indexes it is in. */
    update: ({ ref, id }, before, after) => {
      const old = columnsOf(kindOf(ref), before, '');
      const values: Record<string, unknown> = columnsOf(kindOf(ref), after);
      const changed = COLUMNS.filter((name) => values[name] !== old[name]);
      const setting = changed.map((name) => `${quoted(name)} = :${name}`).join(', ');
      const statement = updates.get(setting) ?? prepare(`UPDATE documents SET ${setting} WHERE id = :id`);
      updates.set(setting, statement);
      const bound: Record<string, unknown> = { id };
      for (const name of changed) bound[name] = values[name];
      statement.run(bound);
    },
  };
}

/** A field in SQL: its column, if it has one. */
export function fieldOf(name: string): string {
  return INDEXED.some((field) => field === name) ? quoted(name) : `fields ->> '${name}'`;
}

/** Ids are free text, also with slashes. */
export function pathOf({ path }: Ref<object>): string {
  return path.map((name) => name.replace(/[%/]/g, encodeURIComponent)).join('/');
}

function kindOf({ path }: Ref<object>): string {
  return path.at(-2) ?? '';
}

/** A document in columns, its fields as JSON, byte arrays apart. */
function columnsOf(kind: string, fields: Fields, json = jsonOf(fields)): Columns {
  const { bytes, expireAt = null } = fields;
  const columns: Record<string, unknown> = {
    fields: json,
    bytes: bytes instanceof Uint8Array ? bytes : null,
    expireAt: WITHOUT_EXPIRY.has(kind) ? null : expireAt,
  };
  for (const name of INDEXED) columns[name] = fields[name] ?? null;
  return columns as Columns;
}

function jsonOf(fields: Fields): string {
  return JSON.stringify(fields['bytes'] instanceof Uint8Array ? { ...fields, bytes: undefined } : fields);
}

function quoted(name: string): string {
  return `"${name}"`;
}
