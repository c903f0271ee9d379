import type {
  CollectionReference,
  DocumentReference,
  Firestore,
  Precondition,
  Timestamp,
} from '@google-cloud/firestore';
import type { RunRef } from '../../runs/run-store';
import { pathOf } from './fields';

/** All runs that a user may come back to. */
export function keptRuns(db: Firestore, userId: string): CollectionReference {
  return documentAt(db, 'users', userId).collection('runs');
}

/** One of them. */
export function keptRunRef(db: Firestore, { userId, runId }: RunRef): DocumentReference {
  return documentAt(db, 'users', userId, 'runs', runId);
}

/** Document as read; without `updateTime` there was none. */
export interface AsRead {
  readonly ref: DocumentReference;
  readonly updateTime?: Timestamp | undefined;
}

/** Makes the commit fail unless the document is still as it was read. Throws when there was none. */
export function unchanged({ ref, updateTime }: AsRead): Precondition {
  if (!updateTime) throw new Error(`${ref.path} does not exist`);
  return { lastUpdateTime: updateTime };
}

function documentAt(db: Firestore, ...path: readonly string[]): DocumentReference {
  return db.doc(pathOf({ path }));
}
