import { ACT_RETENTION_MS, type Act, type ActStore } from '../../access/act';
import type { FirestoreClient } from './client';
import { actRef, fieldsOf, recordOf } from './documents';
import type { Session, Writes } from './session';

const BUDGET_MS = 10_000;

/** The audit trail, a document for each act at `acts/{actId}`, which the database removes when it is old. */
export function firestoreActs(client: FirestoreClient): ActStore {
  return {
    recordAct: (act) =>
      client.decide('recordAct', (session) => session.commit((writes) => recordAct(session, writes, act))),

    listActs: ({ userId, sinceMs, max }) =>
      client.run(
        'listActs',
        async (session) => {
          const acts = session.db.collection('acts');
          const chosen = userId === undefined ? acts : acts.where('uid', '==', userId);
          const newest = chosen.where('at', '>=', new Date(sinceMs)).orderBy('at', 'desc').limit(max);
          const documents = await session.find(newest);
          return documents.flatMap((document) => {
            const stored = recordOf<Act & { readonly expireAtMs: number }>(document, 'actId');
            if (!stored) return [];
            const { expireAtMs: _, ...act } = stored;
            return [act];
          });
        },
        BUDGET_MS,
      ),
  };
}

/**
 * Records an act, where there is one, with the writes of what was done. Acts have ids of their own, so that a commit
 * whose answer was lost may write one again: it is the same.
 */
export function recordAct({ db }: Session, writes: Writes, act: Act | undefined): void {
  if (!act) return;
  const { actId, ...fields } = act;
  writes.set(actRef(db, actId), { ...fieldsOf(fields), expireAt: new Date(act.atMs + ACT_RETENTION_MS) });
}
