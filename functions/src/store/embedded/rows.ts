import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { type Fields, Increment, type Patch, REMOVED, type Ref } from '../documents';

/** Fields with a column of their own, which is what indexes are made of. */
const INDEXED = ['uid', 'state', 'month', 'at', 'settledAt', 'startedAt', 'to'] as const;
const COLUMNS = ['fields', 'bytes', 'expireAt', ...INDEXED] as const;

/** Written with every request, which pays for each index: a user has few logs, and old records are found by their end. */
const WITHOUT_EXPIRY: ReadonlySet<string> = new Set(['rateLimits', 'usageLedger']);

type Columns = Record<string, SQLInputValue>;

/** Rows of the table `documents`; all is to be run in a transaction. */
export interface Rows {
  insert(ref: Ref<object>, fields: Fields): void;
  update(row: { readonly ref: Ref<object>; readonly id: number }, before: Fields, after: Fields): void;
}

export function rowsOf(prepare: (sql: string) => StatementSync): Rows {
  const names = ['path', 'kind', 'parent', ...COLUMNS];
  const insertion = prepare(`INSERT INTO documents (${names.map(quoted)}) VALUES (${names.map((name) => `:${name}`)})`);
  const updates = new Map<string, StatementSync>();
  return {
    insert: (ref, fields) => {
      const kind = kindOf(ref);
      const parent = ref.path.length > 2 ? pathOf({ path: ref.path.slice(0, -2) }) : null;
      insertion.run(Object.assign(columnsOf(kind, fields), { path: pathOf(ref), kind, parent }));
    },
    /** Columns that stay are not set: each that is costs the indexes it is in. */
    update: ({ ref, id }, before, after) => {
      const old = columnsOf(kindOf(ref), before, '');
      const values = columnsOf(kindOf(ref), after);
      const changed = COLUMNS.filter((name) => values[name] !== old[name]);
      const setting = changed.map((name) => `${quoted(name)} = ?`).join(', ');
      const statement = updates.get(setting) ?? prepare(`UPDATE documents SET ${setting} WHERE id = ?`);
      updates.set(setting, statement);
      statement.run(...changed.map((name) => values[name] ?? null), id);
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
  const columns: Columns = {
    fields: json,
    bytes: bytes instanceof Uint8Array ? bytes : null,
    expireAt: WITHOUT_EXPIRY.has(kind) ? null : (expireAt as number | null),
  };
  for (const name of INDEXED) columns[name] = (fields[name] ?? null) as SQLInputValue;
  return columns;
}

function jsonOf(fields: Fields): string {
  return JSON.stringify(fields['bytes'] instanceof Uint8Array ? { ...fields, bytes: undefined } : fields);
}

function quoted(name: string): string {
  return `"${name}"`;
}

/** Fields with a patch applied; what the patch does not name is as it was. */
export function patched(fields: Fields, patch: Patch): Fields {
  const result: Record<string, unknown> = { ...fields };
  const copied = new Set<object>([result]);
  for (const [path, value] of Object.entries(patch)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let map = result;
    for (const name of names) map = ownCopy(map, name, copied);
    if (value === REMOVED) delete map[last];
    else map[last] = value instanceof Increment ? Number(map[last] ?? 0) + value.by : value;
  }
  return result;
}

/** The map in a field, copied once so that the one that was read stays as it is. */
function ownCopy(map: Record<string, unknown>, name: string, copied: Set<object>): Record<string, unknown> {
  const found = Object.hasOwn(map, name) ? (map[name] as Record<string, unknown>) : {};
  if (copied.has(found)) return found;
  const copy = { ...found };
  map[name] = copy;
  copied.add(copy);
  return copy;
}
