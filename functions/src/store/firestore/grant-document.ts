import type { DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import type { GrantBook, OpenLease } from '../../byok/grant';
import { LEDGER_RETENTION_MS } from '../../usage/retention';
import { mapKey } from './refs';
import type { Database } from './session';

interface StoredLease<Time> {
  readonly id: string;
  readonly est: number;
  readonly leaseUntil: Time;
}

/** `users/{uid}/byok/grant-{YYYY-MM}`: what of the month's tokens is used, and the leases by hashed request id. */
interface GrantFields<Time> {
  readonly used?: number;
  readonly open?: Readonly<Record<string, StoredLease<Time>>>;
  readonly expireAt: Time;
}

/** The grant of a document; nothing used and nothing leased when there is none. */
export function grantBookOf(snapshot: DocumentSnapshot): GrantBook {
  const { used = 0, open = {} } = (snapshot.data() ?? {}) as Partial<GrantFields<Timestamp>>;
  const leases = Object.values(open).map(
    ({ id, est, leaseUntil }) => [id, { tokens: est, untilMs: leaseUntil.toMillis() }] as const,
  );
  return { usedTokens: used, leases: new Map(leases) };
}

/** The leases as they are stored, in the place of those before. */
export function leaseFields(month: string, leases: ReadonlyMap<string, OpenLease>) {
  const open = [...leases].map(
    ([id, { tokens, untilMs }]) => [mapKey(id), { id, est: tokens, leaseUntil: new Date(untilMs) }] as const,
  );
  return { open: Object.fromEntries(open), expireAt: expiryOf(month) };
}

/** What a settlement adds, to be merged into the document: tokens used, and the end of the request's lease. */
export function grantAdditions(
  { FieldValue }: Database['sdk'],
  { month, requestId }: { readonly month: string; readonly requestId: string },
  usedTokens: number,
) {
  const open = { [mapKey(requestId)]: FieldValue.delete() };
  return { used: FieldValue.increment(usedTokens), open, expireAt: expiryOf(month) };
}

/** A grant is kept as long as the ledger records it was used up by. */
function expiryOf(month: string): Date {
  return new Date(Date.parse(`${month}-01`) + LEDGER_RETENTION_MS);
}
