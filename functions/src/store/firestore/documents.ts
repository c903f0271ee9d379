import { createHash } from 'node:crypto';
import type {
  CollectionReference,
  DocumentData,
  DocumentReference,
  DocumentSnapshot,
  Firestore,
  Precondition,
  Timestamp,
} from '@google-cloud/firestore';
import type { RateLimit } from '../../access/rate-limit';
import type { UserMonth } from '../../ledger/usage-store';
import type { RunRef } from '../../runs/run-store';
import type { Writes } from './session';

/** An API key by its hash: the record that counts. */
export function apiKeyRef(db: Firestore, hash: string): DocumentReference {
  return documentAt(db, 'apiKeys', hash);
}

/**
 * From a key's id to its hash. A document of its own rather than an index on `apiKeys`: creating it makes ids unique
 * over all users, which no query can.
 */
export function keyIdRef(db: Firestore, keyId: string): DocumentReference {
  return documentAt(db, 'keyIds', keyId);
}

/** What the owner may see of a key. */
export function ownKeyRef(db: Firestore, { userId, keyId }: { userId: string; keyId: string }): DocumentReference {
  return documentAt(db, 'users', userId, 'keys', keyId);
}

/** An administrative act: the audit trail. */
export function actRef(db: Firestore, actId: string): DocumentReference {
  return documentAt(db, 'acts', actId);
}

/** The tag key of a pepper, which keys of its time are told by. */
export function tagKeyRef(db: Firestore, pepperVersion: string): DocumentReference {
  return documentAt(db, 'tagKeys', pepperVersion);
}

/** Changes with every key that a user gets: keys are counted one insertion at a time. */
export function keyCountRef(db: Firestore, userId: string): DocumentReference {
  return documentAt(db, 'users', userId, 'private', 'keyCount');
}

export function subscriptionRef(db: Firestore, userId: string): DocumentReference {
  return documentAt(db, 'subscriptions', userId);
}

/** What a user has at Stripe, in the documents of Stripe's extension for Firebase. */
export function customerSubscriptions(db: Firestore, customers: string, userId: string): CollectionReference {
  return documentAt(db, customers, userId).collection('subscriptions');
}

export function rateLogRef(db: Firestore, userId: string, limit: RateLimit['name']): DocumentReference {
  return documentAt(db, 'rateLimits', `${documentId(userId)}__${limit}`);
}

export function ledgerRef(db: Firestore, requestId: string): DocumentReference {
  return documentAt(db, 'usageLedger', requestId);
}

export function monthRef(db: Firestore, { userId, month }: UserMonth): DocumentReference {
  return documentAt(db, 'users', userId, 'usage', month);
}

/** What a month's ledger came to when it was last checked. */
export function auditRef(db: Firestore, { userId, month }: UserMonth): DocumentReference {
  return documentAt(db, 'users', userId, 'audits', month);
}

/** Up to when all months were checked. */
export function auditedUntilRef(db: Firestore): DocumentReference {
  return documentAt(db, 'housekeeping', 'audited-until');
}

/** The deployment's monthly budget. */
export function serverBudgetRef(db: Firestore): DocumentReference {
  return documentAt(db, 'server', 'budget');
}

/** A user's router key, encrypted: nothing of it is for its owner's browser. */
export function routerKeyRef(db: Firestore, userId: string): DocumentReference {
  return documentAt(db, 'users', userId, 'private', 'routerKey');
}

/** What the owner may see of it, and the router models added. */
export function routerModelsRef(db: Firestore, userId: string): DocumentReference {
  return documentAt(db, 'users', userId, 'byok', 'models');
}

/** A request with an idempotency key. */
export function idempotencyRef(db: Firestore, id: string): DocumentReference {
  return documentAt(db, 'idempotency', id);
}

/** A part of the reply to it. */
export function replyPartRef(db: Firestore, id: string, part: string): DocumentReference {
  return documentAt(db, 'idempotency', id, 'replyParts', part);
}

/** All runs that a user may come back to. */
export function keptRuns(db: Firestore, userId: string): CollectionReference {
  return documentAt(db, 'users', userId).collection('runs');
}

/** One of them. */
export function keptRunRef(db: Firestore, { userId, runId }: RunRef): DocumentReference {
  return documentAt(db, 'users', userId, 'runs', runId);
}

/** A month's token grant. */
export function grantRef(db: Firestore, { userId, month }: UserMonth): DocumentReference {
  return documentAt(db, 'users', userId, 'byok', `grant-${month}`);
}

/**
 * The key of an id in a map field: 96 bits of its SHA-256. Ids are free text, with dots, slashes, or nothing in them;
 * these are not. Firestore reserves names of the form `__x__`, hence no underscore in front.
 */
export function mapKey(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 16).replace(/^_/, '-');
}

/** Properties that have another name in documents. */
const STORED_NAMES = new Map([
  ['userId', 'uid'],
  ['pepperVersion', 'pepperV'],
]);
const OWN_NAMES = new Map([...STORED_NAMES].map(([own, stored]) => [stored, own]));

/** A record as fields: moments (`createdAtMs`) become timestamps (`createdAt`), what is undefined is left out. */
export function fieldsOf(record: object): Record<string, unknown> {
  const present = Object.entries(wellFormed(record)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    present.map(([name, value]) => {
      if (name.endsWith('Ms')) return [name.slice(0, -2), value === null ? null : new Date(value)];
      return [STORED_NAMES.get(name) ?? name, value];
    }),
  );
}

/** The reverse of `fieldsOf`. Unchecked, as this adapter alone writes the fields. */
export function propertiesOf<R>(fields: DocumentData): R {
  const properties = Object.entries(fields).map(([name, value]) => {
    if (/(^at|At|Until)$/.test(name)) return [`${name}Ms`, value?.toMillis?.() ?? value];
    return [OWN_NAMES.get(name) ?? name, value];
  });
  return Object.fromEntries(properties) as R;
}

/** The record of a document, whose id is the property `idName`; undefined when there is none. */
export function recordOf<R>(snapshot: DocumentSnapshot | undefined, idName: keyof R & string): R | undefined {
  const fields = snapshot?.data();
  return fields && propertiesOf<R>({ ...fields, [idName]: snapshot?.id });
}

/** The same with its texts well-formed: Firestore takes no others. */
export function wellFormed<R extends object>(record: R): R {
  const properties = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ]);
  return Object.fromEntries(properties) as R;
}

/** What was read of a document; without `updateTime` there was none. */
export interface AsRead {
  readonly ref: DocumentReference;
  readonly updateTime?: Timestamp | undefined;
}

/** Makes the commit fail unless the document is still as it was read. Throws when there was none. */
export function unchanged({ ref, updateTime }: AsRead): Precondition {
  if (!updateTime) throw new Error(`${ref.path} does not exist`);
  return { lastUpdateTime: updateTime };
}

/** Overwrites fields of a document or creates it; the commit fails unless it is still as it was read. */
export function replace(writes: Writes, read: AsRead, fields: DocumentData): void {
  if (read.updateTime) writes.update(read.ref, fields, unchanged(read));
  else writes.create(read.ref, fields);
}

function documentAt(db: Firestore, ...path: readonly string[]): DocumentReference {
  return db.doc(path.map(documentId).join('/'));
}

/** Throws a RangeError for what Firestore does not take as a document id (1 to 1,500 bytes, no slash, not reserved). */
function documentId(id: string): string {
  const length = Buffer.byteLength(id);
  const valid = length > 0 && length <= 1_400 && id.isWellFormed() && !/^\.{1,2}$|\/|^__.*__$/s.test(id);
  if (!valid) throw new RangeError(`cannot be a Firestore document id: ${JSON.stringify(id.slice(0, 100))}`);
  return id;
}
