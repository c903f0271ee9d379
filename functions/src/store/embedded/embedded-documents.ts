import type {
  Change,
  Condition,
  Documents,
  Fields,
  Query,
  Reads,
  Ref,
  Refs,
  Snapshot,
  Snapshots,
  Write,
} from '../documents';
import type { Connection } from './connection';
import { documentPutter, INDEXED, pathOf } from './document-rows';
import { patched } from './patched';
import type { Statement } from './statement';

/** A document as it is stored: its fields as JSON, byte arrays apart. */
interface Row {
  readonly id: number;
  readonly path: string;
  readonly fields: string;
  readonly bytes: Uint8Array | null;
}

/** Documents of one operation by path, as they are with what it has written. */
type Known = Map<string, Fields | undefined>;

/** The documents of one SQLite file. A change reads, decides and writes in one transaction, so that nothing can come between. */
export function embeddedDocuments(connection: Connection): Documents {
  const find = connection.prepare<Pick<Row, 'path'>, Row>(
    'SELECT id, path, fields, bytes FROM documents WHERE path = :path',
  );
  const put = documentPutter(connection.prepare);
  const drop = connection.prepare<Pick<Row, 'path'>>('DELETE FROM documents WHERE path = :path');
  const searches = new Map<string, Statement<Record<string, unknown>, Row & { readonly sum: number }>>();

  return {
    get: <const R extends Refs>(_: string, refs: R) => connection.read(() => refs.map(read) as Snapshots<R>),
    find: <F extends object>(_: string, query: Query<F>) => connection.read(() => search(query)),
    together: (_, reads) => connection.read(() => readTogether(reads)),
    sum: (_, query, field) =>
      connection.read(() => {
        const { from, values } = queryOf(query);
        return statementOf(`SELECT coalesce(sum(${fieldOf(field)}), 0) AS sum ${from}`).get(values)?.sum ?? 0;
      }),
    change: (_, change) =>
      change.until === 'committed' ? connection.commit(() => make(change)) : connection.write(() => make(change)),
  };

  function make<R extends Refs, T, F extends object, Q extends object>(change: Change<R, T, F, Q>): T {
    const { readOnRetry = [], together = [], decide } = change;
    for (let tries = 0; ; tries += 1) {
      const snapshots = change.read.map(read);
      const { result, writes = [] } = decide(snapshots as Snapshots<R>, {
        tries,
        onRetry: tries === 0 ? [] : readOnRetry.map(read),
        together: together.map(readTogether),
      });
      if (!writes.some((write) => write.kind === 'create' && exists(write.ref))) {
        const known: Known = new Map(snapshots.map(({ ref, fields }) => [pathOf(ref), fields as Fields | undefined]));
        for (const write of writes) apply(write, known);
        return result;
      }
      if (tries > 0) throw new Error('a document that was to be created exists already');
    }
  }

  function apply(write: Write, known: Known): void {
    const ref = 'ref' in write ? write.ref : write.read.ref;
    const path = pathOf(ref);
    if (write.kind === 'delete') {
      drop.run({ path });
      known.set(path, undefined);
      return;
    }
    const before = known.has(path) ? known.get(path) : (read(ref).fields as Fields | undefined);
    if (write.kind === 'merge' && write.missing !== undefined && !before) throw new Error(write.missing);
    const fields = write.kind === 'create' ? (write.fields as Fields) : patched(before ?? {}, write.patch);
    known.set(path, fields);
    put(ref, fields);
  }

  function exists(ref: Ref<object>): boolean {
    return find.get({ path: pathOf(ref) }) !== undefined;
  }

  function read(ref: Ref<object>): Snapshot<object> {
    const row = find.get({ path: pathOf(ref) });
    return row ? snapshotOf(ref, row) : { ref, id: ref.path.at(-1) ?? '', fields: undefined, created: 0 };
  }

  function readTogether<F extends object, Q extends object>({ refs, query }: Reads<F, Q>) {
    return { read: refs.map(read) as Snapshot<F>[], found: search(query) };
  }

  function search<F extends object>(query: Query<F>): Snapshot<F>[] {
    const { from, order, values } = queryOf(query);
    const rows = statementOf(`SELECT id, path, fields, bytes ${from} ${order}`).all(values);
    return rows.map((row) => snapshotOf({ path: row.path.split('/').map(decodeURIComponent) }, row));
  }

  function statementOf(sql: string) {
    const statement = searches.get(sql) ?? connection.prepare(sql);
    searches.set(sql, statement);
    return statement;
  }
}

function snapshotOf<F extends object>(ref: Ref<F>, { id, fields, bytes }: Row): Snapshot<F> {
  const stored = JSON.parse(fields);
  return {
    ref,
    id: ref.path.at(-1) ?? '',
    fields: bytes ? { ...stored, bytes } : stored,
    created: id,
  };
}

/** A search in SQL, in the words of the indexes (`schema.ts`), so that SQLite finds them. */
function queryOf<F extends object>(query: Query<F>) {
  const { collection, where = [], implied = [], orderBy, descending, after, max = -1 } = query;
  const values: Record<string, unknown> = { max };
  const conditions = [...where, ...implied].map(([field, operator, value]: Condition, index) => {
    if (operator === 'is') return `${fieldOf(field)} = '${value}'`;
    values[`v${index}`] = typeof value === 'object' ? JSON.stringify(value) : value;
    if (operator === 'in') return `${fieldOf(field)} IN (SELECT value FROM json_each(:v${index}))`;
    return `${fieldOf(field)} ${operator === '==' ? '=' : operator} :v${index}`;
  });
  // The newest first, also of those of one moment.
  const place = descending ? 'id' : 'path';
  const order = orderBy === undefined ? [place] : [fieldOf(orderBy), place];
  if (after) {
    Object.assign(values, { afterValue: after.value, afterPath: pathOf({ path: [collection, after.id] }) });
    const last = orderBy === undefined ? [':afterPath'] : [':afterValue', ':afterPath'];
    conditions.push(`(${order.join(', ')}) > (${last.join(', ')})`);
  }
  const ordered = order.map((column) => (descending ? `${column} DESC` : column)).join(', ');
  const found = [`kind = '${collection}'`, ...conditions].join(' AND ');
  return { from: `FROM documents WHERE ${found}`, order: `ORDER BY ${ordered} LIMIT :max`, values };
}

function fieldOf(name: string): string {
  return INDEXED.some((field) => field === name) ? name : `fields ->> '${name}'`;
}
