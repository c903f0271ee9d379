import { createHash } from 'node:crypto';
import type { DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import type { CallRow } from '../../usage/call-row';
import type { Consumption } from '../../usage/consumption';
import { LEDGER_RETENTION_MS } from '../../usage/retention';
import type { LedgerRecord, Reservation, Settlement } from '../store';
import { mapKey } from './refs';

/** Open records are spread over these values, so that the index the sweep reads has no hot end. */
export const SHARDS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/**
 * `usageLedger/{requestId}`. While open, `calls` holds the rows by hashed call id, so that a checkpoint can overwrite
 * single ones blindly. Closing removes it and writes `finalCalls`, which is what counts from then on: rows that a late
 * checkpoint adds to `calls` after that are never looked at.
 */
interface LedgerFields<Time> {
  readonly uid: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly endpoint: string;
  readonly month: string;
  readonly startedAt: Time;
  readonly leaseUntil: Time;
  readonly shard: number;
  readonly state: LedgerRecord['state'];
  readonly onGrant?: true;
  readonly calls?: Readonly<Record<string, CallRow>>;
  readonly finalCalls?: readonly CallRow[];
}

/** A new, open record. */
export function openFields(reservation: Reservation, calls: readonly CallRow[]): LedgerFields<Date> {
  const { requestId, userId: uid, keyId, keyName, endpoint, month, startedAtMs, leaseUntilMs, onGrant } = reservation;
  return {
    uid,
    keyId,
    keyName: keyName.toWellFormed(),
    endpoint,
    month,
    startedAt: new Date(startedAtMs),
    leaseUntil: new Date(leaseUntilMs),
    shard: shardOf(requestId),
    state: 'open',
    ...(onGrant && { onGrant }),
    calls: Object.fromEntries(calls.map((call) => [mapKey(call.callId), storedCall(call)])),
  };
}

/** What closing a record changes, besides removing `calls`. `settledBy` tells our own commit from another's. */
export function closedFields(
  { state, calls, settledAtMs }: Settlement,
  total: Consumption,
  closing: { settledBy: string; startedAtMs: number },
) {
  const { promptTokens: ctx, completionTokens: gen, costNanoUsd: costNano } = total;
  return {
    state,
    finalCalls: calls.map(storedCall),
    totals: { ctx, gen, costNano },
    estimated: calls.some((call) => call.estimated),
    settledAt: new Date(settledAtMs),
    settledBy: closing.settledBy,
    expireAt: new Date(closing.startedAtMs + LEDGER_RETENTION_MS),
  };
}

/** A row as it is stored; Firestore takes only well-formed text. */
export function storedCall(call: CallRow): CallRow {
  const { callId, modelId, modelName } = call;
  const text = { callId: callId.toWellFormed(), modelId: modelId.toWellFormed(), modelName: modelName.toWellFormed() };
  return { ...call, ...text };
}

/** The record of a ledger document; undefined when there is none. The calls of an open one come in order of their ids. */
export function ledgerRecordOf(snapshot: DocumentSnapshot | undefined): LedgerRecord | undefined {
  const fields = snapshot?.data() as LedgerFields<Timestamp> | undefined;
  if (!snapshot || !fields) return undefined;
  const { uid: userId, keyId, keyName, endpoint, month, startedAt, leaseUntil, state, onGrant } = fields;
  const calls =
    state === 'open'
      ? Object.values(fields.calls ?? {}).sort((a, b) => (a.callId < b.callId ? -1 : 1))
      : (fields.finalCalls ?? []);
  const times = { startedAtMs: startedAt.toMillis(), leaseUntilMs: leaseUntil.toMillis() };
  const booked = { userId, keyId, keyName, endpoint, month, ...times, ...(onGrant && { onGrant }) };
  return { requestId: snapshot.id, ...booked, state, calls };
}

function shardOf(requestId: string): number {
  return createHash('sha256').update(requestId).digest().readUInt32BE() % SHARDS.length;
}
