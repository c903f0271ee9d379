import { createHash } from 'node:crypto';
import type { DocumentReference, Firestore } from 'firebase-admin/firestore';
import type { RateLimit } from '../store';

/** An API key by its hash: the record that counts. */
export function apiKeyRef(db: Firestore, hash: string): DocumentReference {
  return db.collection('apiKeys').doc(documentId(hash));
}

/**
 * From a key's id to its hash. A document of its own rather than an index on `apiKeys`: creating it makes ids unique
 * over all users, which no query can.
 */
export function keyIdRef(db: Firestore, keyId: string): DocumentReference {
  return db.collection('keyIds').doc(documentId(keyId));
}

/** What the owner may see of a key. */
export function ownKeyRef(db: Firestore, { userId, keyId }: { userId: string; keyId: string }): DocumentReference {
  return userRef(db, userId).collection('keys').doc(documentId(keyId));
}

export function subscriptionRef(db: Firestore, userId: string): DocumentReference {
  return db.collection('subscriptions').doc(documentId(userId));
}

export function rateLogRef(db: Firestore, userId: string, plan: RateLimit['plan']): DocumentReference {
  return db.collection('rateLimits').doc(`${documentId(userId)}__${plan}`);
}

export function ledgerRef(db: Firestore, requestId: string): DocumentReference {
  return db.collection('usageLedger').doc(documentId(requestId));
}

/** A month (`page` 0) or one of its overflow documents, `2026-03~1` and so on. */
export function monthRef(db: Firestore, userId: string, { month, page }: { month: string; page: number }) {
  return userRef(db, userId)
    .collection('usage')
    .doc(documentId(page === 0 ? month : `${month}~${page}`));
}

/** A user's router key, encrypted: nothing of it is for its owner's browser. */
export function routerKeyRef(db: Firestore, userId: string): DocumentReference {
  return userRef(db, userId).collection('private').doc('routerKey');
}

/** What the owner may see of it, and the router models added. */
export function routerModelsRef(db: Firestore, userId: string): DocumentReference {
  return userRef(db, userId).collection('byok').doc('models');
}

/** A month's token grant. */
export function grantRef(db: Firestore, { userId, month }: { userId: string; month: string }): DocumentReference {
  return userRef(db, userId)
    .collection('byok')
    .doc(documentId(`grant-${month}`));
}

/**
 * The key of an id in a map field: 96 bits of its SHA-256. Ids are free text, with dots, slashes, or nothing in them;
 * these are not. Firestore reserves names of the form `__x__`, hence no underscore in front.
 */
export function mapKey(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 16).replace(/^_/, '-');
}

function userRef(db: Firestore, userId: string): DocumentReference {
  return db.collection('users').doc(documentId(userId));
}

/** Throws a RangeError for what Firestore does not take as a document id (1 to 1,500 bytes, no slash, not reserved). */
function documentId(id: string): string {
  const length = Buffer.byteLength(id);
  const valid = length > 0 && length <= 1_400 && id.isWellFormed() && !/^\.{1,2}$|\/|^__.*__$/s.test(id);
  if (!valid) throw new RangeError(`cannot be a Firestore document id: ${JSON.stringify(id.slice(0, 100))}`);
  return id;
}
