import type { DocumentData, DocumentReference, Precondition } from '@google-cloud/firestore';
import { Increment, type Patch, REMOVED, type Ref, type Write } from '../documents';
import type { Database, Writes } from './client';

/** Names of fields that hold moments, which Firestore keeps as timestamps. */
const MOMENT = /^(?:at|until)$|(?:At|Until)$/;

/** The path of a document. Throws a RangeError for an id that Firestore does not take (1 to 1,500 bytes, no slash, not reserved). */
export function pathOf({ path }: Ref<object>): string {
  return path.map(documentId).join('/');
}

function documentId(id: string): string {
  const length = Buffer.byteLength(id);
  const isValid = length > 0 && length <= 1_400 && id.isWellFormed() && !/^\.{1,2}$|\/|^__.*__$/s.test(id);
  if (!isValid) throw new RangeError(`cannot be a Firestore document id: ${JSON.stringify(id.slice(0, 100))}`);
  return id;
}

/** Puts the writes of a change into a commit, each with its precondition. */
export function applyWrites(database: Database, batch: Writes, writes: readonly Write[]): void {
  for (const write of writes) {
    const ref = database.db.doc(pathOf('ref' in write ? write.ref : write.read.ref));
    if (write.kind === 'create') batch.create(ref, encodedMap(database, write.fields));
    else if (write.kind === 'erase') batch.delete(ref);
    else if (write.kind === 'merge') merge(write, ref);
    else if (write.read.version) applyAsRead(write, ref, { lastUpdateTime: write.read.version } as Precondition);
    else if (write.kind === 'change') batch.create(ref, nested(encodedMap(database, withoutRemoved(write.patch))));
  }

  function merge({ patch, missing }: Extract<Write, { kind: 'merge' }>, ref: DocumentReference): void {
    const fields = encodedMap(database, patch);
    if (missing === undefined) batch.set(ref, nested(fields), { mergeFields: Object.keys(fields) });
    else batch.update(ref, fields);
  }

  function applyAsRead(write: Extract<Write, { read: unknown }>, ref: DocumentReference, asRead: Precondition): void {
    if (write.kind === 'delete') batch.delete(ref, asRead);
    else batch.update(ref, encodedMap(database, write.patch), asRead);
  }
}

function withoutRemoved(patch: Patch): Patch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== REMOVED));
}

/** Fields of a document, with times in milliseconds. */
export function decoded(value: DocumentData): DocumentData {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, decodedValue(field)]));
}

function decodedValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(decodedValue);
  const { toMillis } = value as { readonly toMillis?: unknown };
  return typeof toMillis === 'function' ? toMillis.call(value) : decoded(value);
}

/** A number as Firestore keeps it in a field of this name. */
export function momentOf(name: string, value: number): number | Date {
  return MOMENT.test(name) ? new Date(value) : value;
}

function encodedMap(database: Database, fields: Patch | object): DocumentData {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, encoded(database, name, value)]));
}

/** Texts are made well-formed: Firestore takes no others. */
function encoded(database: Database, name: string, value: unknown): unknown {
  if (typeof value === 'number') return momentOf(name, value);
  if (typeof value === 'string') return value.toWellFormed();
  if (value === REMOVED) return database.FieldValue.delete();
  if (value instanceof Increment) return database.FieldValue.increment(value.by);
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (Array.isArray(value)) return value.map((item) => encoded(database, '', item));
  return typeof value === 'object' && value !== null ? encodedMap(database, value) : value;
}

/** Fields by path as maps within each other. */
function nested(fields: DocumentData): DocumentData {
  const root: DocumentData = {};
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let map = root;
    for (const name of names) map = map[name] ??= {};
    map[last] = value;
  }
  return root;
}
