import type { GrantStore } from '../../byok/byok-store';
import { decideLease, type Grant, grantState } from '../../byok/grant';
import { LEDGER_RETENTION_MS } from '../../ledger/ledger-store';
import type { UserMonth } from '../../ledger/usage-store';
import { change, type Documents, Increment, merge, REMOVED, type Write } from '../documents';
import { at, mapKey } from './refs';

interface StoredGrant {
  readonly used?: number;
  /** Leases by hashed request id. */
  readonly open?: Readonly<Record<string, { readonly id: string; readonly est: number; readonly leaseUntil: number }>>;
}

/** Monthly grants, at `users/{uid}/byok/grant-{YYYY-MM}`: the used tokens of the month, and the leases of runs under way. */
export function grantRepository(documents: Documents): GrantStore {
  return {
    leaseGrant: (lease, maxTokens, nowMs) =>
      documents.change('leaseGrant', {
        read: [grantRef(lease)],
        turn: `leaseGrant ${lease.userId}`,
        decide: ([stored]) => {
          const { decision, leases } = decideLease(grantOf(stored.fields), lease, { maxTokens, nowMs });
          const fields = leases && { open: storedLeases(leases), expireAt: expiryOf(lease.month) };
          return { result: decision, writes: fields ? [change(stored, fields)] : [] };
        },
      }),

    readGrant: async (of, nowMs) => {
      const [{ fields }] = await documents.get('readGrant', [grantRef(of)]);
      return grantState(grantOf(fields), nowMs);
    },
  };
}

/** Adds what a settled request used and ends its lease; goes into the commit that closes its record. */
export function addToGrant(
  settled: UserMonth & { readonly requestId: string; readonly platformTokens: number },
): Write {
  const { requestId, platformTokens, month } = settled;
  const used = new Increment(platformTokens);
  return merge(grantRef(settled), { used, [`open.${mapKey(requestId)}`]: REMOVED, expireAt: expiryOf(month) });
}

function grantOf({ used = 0, open = {} }: StoredGrant = {}): Grant {
  const leases = Object.values(open).map(
    ({ id, est, leaseUntil }) => [id, { tokens: est, untilMs: leaseUntil }] as const,
  );
  return { usedTokens: used, leases: new Map(leases) };
}

function storedLeases(leases: Grant['leases']): NonNullable<StoredGrant['open']> {
  const stored = [...leases].map(([id, { tokens, untilMs }]) => {
    return [mapKey(id), { id, est: tokens, leaseUntil: untilMs }] as const;
  });
  return Object.fromEntries(stored);
}

/** A grant is kept as long as the ledger records it was used up by. */
function expiryOf(month: string): number {
  return Date.parse(`${month}-01`) + LEDGER_RETENTION_MS;
}

const grantRef = ({ userId, month }: UserMonth) => at<StoredGrant>('users', userId, 'byok', `grant-${month}`);
