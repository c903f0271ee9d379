import type { DocumentData, Precondition } from '@google-cloud/firestore';
import { Increment, type Patch, REMOVED, type Ref, type Write } from '../documents';
import { NOT_FOUND, rpcCodeOf } from './rpc-error';
import type { Database, Session, Writes } from './session';

/** Names of fields that hold moments, which Firestore keeps as timestamps. */
const MOMENT = /^(?:at|until)$|(?:At|Until)$/;

type Sdk = Pick<Database, 'FieldValue'>;

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
export function applyWrites(session: Session, batch: Writes, writes: readonly Write[]): void {
  for (const write of writes) {
    if ('read' in write) applyAsRead(session, batch, write);
    else applyBlind(session, batch, write);
  }
}

/** A change or a removal, on the condition that the document is still as it was read. */
function applyAsRead(session: Session, batch: Writes, write: Extract<Write, { read: unknown }>): void {
  const ref = session.database.db.doc(pathOf(write.read.ref));
  const { version } = write.read;
  const asRead = { lastUpdateTime: version } as Precondition;
  if (write.kind === 'change') {
    if (version) batch.update(ref, encodedMap(session.database, write.patch), asRead);
    else batch.create(ref, nested(encodedMap(session.database, withoutRemoved(write.patch))));
  } else if (version) batch.delete(ref, asRead);
}

function applyBlind(session: Session, batch: Writes, write: Extract<Write, { ref: unknown }>): void {
  const ref = session.database.db.doc(pathOf(write.ref));
  if (write.kind === 'create') return void batch.create(ref, encodedMap(session.database, write.fields));
  if (write.kind === 'erase') return void batch.delete(ref);
  const fields = encodedMap(session.database, leavesOf(write.patch));
  if (write.missing === undefined) batch.set(ref, nested(fields), { mergeFields: Object.keys(fields) });
  else batch.update(ref, fields);
}

/** The error of a commit; that of a merge into a document that must exist, where it does not. */
export function commitError(error: unknown, writes: readonly Write[]): unknown {
  const missing = writes
    .map((write) => write.kind === 'merge' && write.missing)
    .find((text) => typeof text === 'string');
  return missing && rpcCodeOf(error) === NOT_FOUND ? new Error(missing, { cause: error }) : error;
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

function encodedMap(sdk: Sdk, fields: object): DocumentData {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, encoded(sdk, name, value)]));
}

/** Texts are made well-formed: Firestore takes no others. */
function encoded(sdk: Sdk, name: string, value: unknown): unknown {
  if (typeof value === 'number') return momentOf(name, value);
  if (typeof value === 'string') return value.toWellFormed();
  if (value === REMOVED) return sdk.FieldValue.delete();
  if (value instanceof Increment) return sdk.FieldValue.increment(value.by);
  if (value instanceof Uint8Array) return Buffer.from(value);
  if (Array.isArray(value)) return value.map((item) => encoded(sdk, '', item));
  return typeof value === 'object' && value !== null ? encodedMap(sdk, value) : value;
}

/** A patch whose increments are fields by themselves: within a map that is set they would start from 0. */
function leavesOf(patch: Patch): Patch {
  const leaves = Object.entries(patch).flatMap(([path, value]) => {
    const isMap = typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
    const fields = Object.entries(isMap ? value : {});
    const isCounting = fields.some(([, field]) => field instanceof Increment);
    return isCounting ? fields.map(([name, field]) => [`${path}.${name}`, field] as const) : [[path, value] as const];
  });
  return Object.fromEntries(leaves);
}

function withoutRemoved(patch: Patch): Patch {
  return Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== REMOVED));
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
