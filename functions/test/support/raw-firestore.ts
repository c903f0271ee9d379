import { Firestore } from 'firebase-admin/firestore';

/** The documents as they are stored, past our own store. The domain is named, or the SDK looks for credentials to find it out. */
export function rawFirestore(projectId: string): Firestore {
  return new Firestore({ projectId, clientOptions: { universeDomain: 'googleapis.com' } });
}
