import { hash } from 'node:crypto';
import type { CallRow } from '../../ledger/call-row';
import { assertCounts } from '../../ledger/consumption';
import type { LedgerRecord, LedgerStore, RequestOutcome, Reservation } from '../../ledger/ledger-store';
import { change, type Documents, type Query, type Ref, type Snapshot } from '../documents';
import { at, fieldsOf, mapKey, recordOf } from './refs';

/** Open records are spread over these values, so that the index the sweep reads has no hot end. */
export const SHARDS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/**
 * A record at `usageLedger/{requestId}`. While open, `calls` holds the rows by hashed call id, so that a checkpoint can
 * overwrite single ones blindly. Closing removes it and writes `finalCalls`, which is what counts from then on: rows that
 * a late checkpoint adds to `calls` after that are never looked at.
 */
export interface StoredRecord {
  readonly uid: string;
  readonly keyId: string;
  readonly originId?: string;
  readonly keyName: string;
  readonly endpoint: string;
  readonly strategy?: string;
  readonly month: string;
  readonly startedAt: number;
  readonly leaseUntil: number;
  readonly shard: number;
  readonly onGrant?: true;
  readonly state: LedgerRecord['state'];
  readonly calls?: Readonly<Record<string, CallRow>>;
  readonly finalCalls?: readonly CallRow[];
  readonly estimateNano?: number;
  /** The process that opened it, where processes have names. */
  readonly owner?: string;
  readonly settledAt?: number;
  readonly outcome?: RequestOutcome;
  readonly totals?: { readonly ctx: number; readonly gen: number; readonly costNano: number };
  readonly models?: readonly string[];
  readonly costGap?: 'unpriced' | 'router';
  /** Names the commit that closed it. */
  readonly settledBy?: string;
}

/** Tells that a process of this machine, which shares its database, has certainly ended. */
export type HasEnded = (process: string) => boolean;

type LedgerReads = Pick<LedgerStore, 'findRecord' | 'listExpired' | 'postpone' | 'checkpoint'>;

/** Reading the ledger, in pages where there may be much, and writing to open records. */
export function ledgerRepository(documents: Documents, hasEnded?: HasEnded): LedgerReads {
  return {
    findRecord: async (requestId) => {
      const [stored] = await documents.get('findRecord', [ledgerRef(requestId)]);
      return ledgerRecordOf(stored);
    },

    listExpired: async (nowMs, max, last) => {
      if (hasEnded) await endLeasesOfTheDead(hasEnded);
      const found = await documents.find<StoredRecord>('listExpired', {
        ...OPEN,
        where: [...OPEN.where, ['leaseUntil', '<', nowMs]],
        after: last && { value: last.leaseUntilMs, id: last.requestId },
        max,
      });
      return found.flatMap((stored) => ledgerRecordOf(stored) ?? []);
    },

    postpone: (requestId, leaseUntilMs) => changeOpen('postpone', requestId, { leaseUntil: leaseUntilMs }),

    /** A blind write: a repeated one changes nothing, and one that comes after the settlement is never looked at. */
    checkpoint: async (requestId, calls) => {
      const rows = Object.entries(callsById(calls)).map(([key, row]) => [`calls.${key}`, row]);
      const missing = `request ${requestId} was never reserved`;
      const write = { kind: 'merge', ref: ledgerRef(requestId), patch: Object.fromEntries(rows), missing } as const;
      await documents.change('checkpoint', {
        read: [],
        decide: () => ({ result: undefined, writes: [write] }),
        until: 'committed',
      });
    },
  };

  /**
   * Ends the leases of processes that have died, so that a restart settles at once what a crash left open (ADR 7). Once:
   * the records then have no owner, and may be postponed.
   */
  async function endLeasesOfTheDead(hasEnded: HasEnded): Promise<void> {
    const open = await documents.find<StoredRecord>('listExpired', OPEN);
    const byOwner = Map.groupBy(open, ({ fields }) => fields?.owner ?? '');
    const dead = [...byOwner].flatMap(([owner, records]) => (owner !== '' && hasEnded(owner) ? records : []));
    const ended = { leaseUntil: 0, owner: '' };
    await Promise.all(dead.map(({ id }) => changeOpen('listExpired', id, ended)));
  }

  function changeOpen(name: string, requestId: string, patch: Partial<StoredRecord>): Promise<void> {
    return documents.change(name, {
      read: [ledgerRef(requestId)],
      decide: ([stored]) => ({
        result: undefined,
        writes: stored.fields?.state === 'open' ? [change(stored, patch)] : [],
      }),
    });
  }
}

const OPEN = {
  collection: 'usageLedger',
  where: [
    ['state', 'is', 'open'],
    ['shard', 'in', SHARDS],
  ],
  orderBy: 'leaseUntil',
} as const satisfies Query;

export function ledgerRef(requestId: string): Ref<StoredRecord> {
  return at('usageLedger', requestId);
}

/** The fields of a new, open record. */
export function openFields(reservation: Reservation, owner: string | undefined): StoredRecord {
  const { estimateNanoUsd = 0, calls } = reservation;
  return {
    ...reservationFields(reservation),
    state: 'open',
    calls: callsById(calls ?? []),
    ...(estimateNanoUsd > 0 && { estimateNano: estimateNanoUsd }),
    ...(owner !== undefined && { owner }),
  };
}

/** The fields of a record from its beginning to its end. */
export function reservationFields(reservation: Reservation): Omit<StoredRecord, 'state'> {
  const { requestId, userId, keyId, originId, keyName, endpoint, strategy } = reservation;
  const { month, startedAtMs, leaseUntilMs, onGrant } = reservation;
  const named = { userId, keyId, originId, keyName, endpoint, strategy };
  const fields = fieldsOf({ ...named, month, startedAtMs, leaseUntilMs, onGrant });
  const shard = Number.parseInt(hash('sha256', requestId).slice(0, 8), 16) % SHARDS.length;
  return { ...(fields as unknown as Omit<StoredRecord, 'state' | 'shard'>), shard };
}

/** Calls as an open record holds them. Throws a RangeError for counts that are none. */
export function callsById(calls: readonly CallRow[]): Record<string, CallRow> {
  assertCounts(calls);
  return Object.fromEntries(calls.map((call) => [mapKey(call.callId), call]));
}

/** The record of a ledger document, the calls of an open one in order of their ids; undefined when there is none. */
export function ledgerRecordOf(snapshot: Snapshot<StoredRecord>): LedgerRecord | undefined {
  const { fields } = snapshot;
  const stored = recordOf<LedgerRecord>(snapshot, 'requestId');
  if (!fields || !stored) return undefined;
  const { requestId, userId, keyId, originId, keyName, endpoint, month, startedAtMs, leaseUntilMs } = stored;
  const { state, onGrant } = stored;
  const open = Object.values(fields.calls ?? {}).sort((a, b) => (a.callId < b.callId ? -1 : 1));
  const calls = state === 'open' ? open : (fields.finalCalls ?? []);
  const record = { requestId, userId, keyId, keyName, endpoint, month, startedAtMs, leaseUntilMs, calls, state };
  return { ...record, ...(originId !== undefined && { originId }), ...(onGrant && { onGrant }) };
}
