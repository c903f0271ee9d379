import type { Act, ActStore } from '../../access/act';
import { LEDGER_RETENTION_MS } from '../../ledger/ledger-store';
import { type Documents, merge, type Write, write } from '../documents';
import { at, fieldsOf, recordOf } from './refs';

/** The audit trail, a document for each act at `acts/{actId}`, which the database removes when it is old. */
export function actRepository(documents: Documents): ActStore {
  return {
    recordAct: (act) => write(documents, 'recordAct', recordAct(act)),

    listActs: async ({ userId, sinceMs, max }) => {
      const ofUser = userId === undefined ? [] : ([['uid', '==', userId]] as const);
      const newest = { collection: 'acts', orderBy: 'at', descending: true, max } as const;
      const found = await documents.find('listActs', { ...newest, where: [...ofUser, ['at', '>=', sinceMs]] });
      return found.flatMap((snapshot) => {
        const stored = recordOf<Act & { readonly expireAtMs: number }>(snapshot, 'actId');
        if (!stored) return [];
        const { expireAtMs: _, ...act } = stored;
        return [act];
      });
    },
  };
}

/**
 * Records an act, where there is one, with the writes of what was done. Acts have ids of their own, so that a commit
 * whose answer was lost may write one again: it is the same.
 */
export function recordAct(act: Act | undefined): Write[] {
  if (!act) return [];
  const { actId, ...fields } = act;
  return [merge(at('acts', actId), { ...fieldsOf(fields), expireAt: act.atMs + LEDGER_RETENTION_MS })];
}
