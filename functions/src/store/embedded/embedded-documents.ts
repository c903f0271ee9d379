import type { SQLInputValue, StatementSync } from 'node:sqlite';
import type {
  Change,
  Documents,
  Fields,
  Patch,
  Query,
  Ref,
  Refs,
  Snapshot,
  Snapshots,
  Total,
  Write,
} from '../documents';
import type { Connection } from './connection';
import { fieldOf, patched, pathOf, rowsOf } from './rows';

/** A document as it is stored: its fields as JSON, byte arrays apart. */
interface Row {
  readonly id: number;
  readonly path: string;
  readonly fields: string;
  readonly bytes: Uint8Array | null;
}

/** The documents of one SQLite file. A change reads, decides and writes in one transaction, so that nothing can come between. */
export function embeddedDocuments(connection: Connection): Documents {
  const found = connection.prepare('SELECT id, path, fields, bytes FROM documents WHERE path = ?');
  const drop = connection.prepare('DELETE FROM documents WHERE path = ?');
  const rows = rowsOf(connection.prepare);
  const searches = new Map<string, StatementSync>();

  return {
    get: <const R extends Refs>(_: string, refs: R) => connection.read(() => refs.map(read) as Snapshots<R>),
    find: <F extends object>(_: string, query: Query<F>) => connection.read(() => search(query)),
    total: (_, query, field) =>
      connection.read(() => {
        const { from, values } = queryOf(query);
        const columns = `count(${fieldOf(field)}) AS count, coalesce(sum(${fieldOf(field)}), 0) AS sum`;
        return statementOf(`SELECT ${columns} ${from}`).get(...values) as unknown as Total;
      }),
    change: (_, change) =>
      change.readOnly ? connection.read(() => make(change)) : connection.write(() => make(change), change.until),
  };

  function make<R extends Refs, T, F extends object>({ read: refs, ...change }: Change<R, T, F>): T {
    const snapshots = refs.map(read);
    const { result, writes = [] } = change.decide(snapshots as Snapshots<R>, {
      found: (change.queries ?? []).map(search),
      // One look-up more, where Firestore needs another round trip.
      onRetry: (change.readOnRetry ?? []).map(read),
    });
    const known = new Map(snapshots.map((snapshot) => [pathOf(snapshot.ref), snapshot]));
    for (const write of writes) apply(write, known);
    return result;
  }

  /** With the documents of its change as they were read and not yet written, by path. */
  function apply(write: Write, known: Map<string, Snapshot<object>>): void {
    const ref = 'ref' in write ? write.ref : write.read.ref;
    const path = pathOf(ref);
    if (write.kind === 'create') rows.insert(ref, write.fields as Fields);
    else if ('patch' in write) patch(write, (known.get(path) ?? read(ref)) as Snapshot);
    else drop.run(path);
    known.delete(path);
  }

  function patch(write: Extract<Write, { patch: Patch }>, { ref, fields, version }: Snapshot): void {
    if (write.kind === 'merge' && write.missing !== undefined && !fields) throw new Error(write.missing);
    const changed = patched(fields ?? {}, write.patch);
    if (fields) rows.update({ ref, id: version as number }, fields, changed);
    else rows.insert(ref, changed);
  }

  function read(ref: Ref<object>): Snapshot<object> {
    const row = found.get(pathOf(ref)) as Row | undefined;
    return row ? snapshotOf(ref, row) : { ref, id: ref.path.at(-1) ?? '', fields: undefined, created: 0 };
  }

  function search<F extends object>(query: Query<F>): Snapshot<F>[] {
    const { from, order, values } = queryOf(query);
    const bytes = query.select?.every((field) => field !== 'bytes') ? 'NULL AS bytes' : 'bytes';
    const statement = statementOf(`SELECT id, path, fields, ${bytes} ${from} ${order}`);
    const all = statement.all(...values, query.max ?? -1) as unknown as Row[];
    return all.map((row) => snapshotOf({ path: row.path.split('/').map(decodeURIComponent) }, row));
  }

  function statementOf(sql: string) {
    const statement = searches.get(sql) ?? connection.prepare(sql);
    searches.set(sql, statement);
    return statement;
  }
}

function snapshotOf<F extends object>(ref: Ref<F>, { id, fields, bytes }: Row): Snapshot<F> {
  const stored = JSON.parse(fields);
  return { ref, id: ref.path.at(-1) ?? '', fields: bytes ? { ...stored, bytes } : stored, version: id, created: id };
}

/** A search in SQL, in the words of the indexes (`database.ts`), so that SQLite finds them. */
function queryOf<F extends object>({ collection, below, orderBy, descending, after, ...query }: Query<F>) {
  const values: SQLInputValue[] = [];
  const bound = (value: SQLInputValue): string => {
    values.push(value);
    return '?';
  };
  const conditions = [...(query.where ?? []), ...(query.implied ?? [])].map(([field, operator, value]) => {
    if (operator === 'is') return `${fieldOf(field)} = '${value}'`;
    if (typeof value === 'object')
      return `${fieldOf(field)} IN (SELECT value FROM json_each(${bound(JSON.stringify(value))}))`;
    return `${fieldOf(field)} ${operator === '==' ? '=' : operator} ${bound(value)}`;
  });
  if (below) conditions.push(`parent = ${bound(pathOf(below))}`);
  if (orderBy !== undefined) conditions.push(`${fieldOf(orderBy)} IS NOT NULL`);
  // The newest first, also of those of one moment, unless there are pages.
  const place = descending && !below && !after ? 'id' : 'path';
  const order = orderBy === undefined ? [place] : [fieldOf(orderBy), place];
  if (after) {
    const path = pathOf({ path: [...(below?.path ?? []), collection, after.id] });
    const last = after.value === undefined ? [bound(path)] : [bound(after.value), bound(path)];
    conditions.push(`(${order.join(', ')}) ${descending ? '<' : '>'} (${last.join(', ')})`);
  }
  const ordered = order.map((column) => (descending ? `${column} DESC` : column)).join(', ');
  const found = [`kind = '${collection}'`, ...conditions].join(' AND ');
  return { from: `FROM documents WHERE ${found}`, order: `ORDER BY ${ordered} LIMIT ?`, values };
}
