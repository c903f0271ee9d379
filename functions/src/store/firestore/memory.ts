import type { LedgerRecord, Reservation } from '../../ledger/ledger-store';
import type { Clock } from '../../lib/clock';
import { Lru } from '../../lib/lru';
import { RecentLogs } from './rate-log';

/** What a settlement needs to know of a request; fixed for good by its reservation. */
export type KnownRequest = Pick<LedgerRecord, 'userId' | 'keyId' | 'keyName' | 'month' | 'startedAtMs' | 'onGrant'>;

const ENTRIES_MAX = 10_000;

/** What one process keeps of earlier steps to spare reads. Nothing is decided by it alone. */
export class Memory {
  readonly logs: RecentLogs;
  /** Whose key a hash is, which never changes. */
  readonly owners = new Lru<string, string>(ENTRIES_MAX);
  /** By request id, so that a settlement can read all it needs in one round trip. */
  readonly requests = new Lru<string, KnownRequest>(ENTRIES_MAX);

  constructor(clock: Clock) {
    this.logs = new RecentLogs(clock);
  }

  noteRequest({ requestId, userId, keyId, keyName, month, startedAtMs, onGrant }: Reservation): void {
    const request = { userId, keyId, keyName, month, startedAtMs };
    this.requests.set(requestId, onGrant ? { ...request, onGrant } : request);
  }
}
