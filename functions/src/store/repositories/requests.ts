import type { LoggedRequest, RequestLogStore } from '../../ledger/request-log';
import type { Documents, Snapshot } from '../documents';
import type { StoredRecord } from './ledger';

/** The log of a user's requests: the ledger without its calls. */
export function requestRepository(documents: Documents): RequestLogStore {
  return {
    listRequests: async (userId, { before, max }) => {
      const found = await documents.find<StoredRecord>('listRequests', {
        collection: 'usageLedger',
        where: [['uid', '==', userId]],
        orderBy: 'startedAt',
        descending: true,
        after: { value: before.startedAtMs, id: before.requestId },
        max,
        select: [...FIELDS, 'state', 'startedAt', 'settledAt', 'totals', 'models', 'outcome'],
      });
      return found.flatMap((stored) => loggedRequestOf(stored) ?? []);
    },
  };
}

const FIELDS = ['keyId', 'originId', 'keyName', 'endpoint', 'strategy', 'costGap'] as const;

function loggedRequestOf({ id: requestId, fields }: Snapshot<StoredRecord>): LoggedRequest | undefined {
  if (!fields) return undefined;
  const { state, startedAt: startedAtMs, settledAt, totals, models = [], outcome = 'ended' } = fields;
  const { ctx: promptTokens = 0, gen: completionTokens = 0, costNano: costNanoUsd = 0 } = totals ?? {};
  const kept = Object.fromEntries(FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])));
  return {
    ...(kept as Pick<StoredRecord, (typeof FIELDS)[number]>),
    ...{ requestId, startedAtMs, models, promptTokens, completionTokens, costNanoUsd },
    outcome: ({ open: 'running', swept: 'lost', settled: outcome } as const)[state],
    ...(state === 'settled' && settledAt !== undefined && { durationMs: Math.max(0, settledAt - startedAtMs) }),
  };
}
