import type { RequestOutcome, Reservation } from './ledger-store';
import type { Consumption } from './usage-store';

/** A request as the log of its user shows it. */
export interface LoggedRequest
  extends Omit<Consumption, 'requests'>,
    Pick<Reservation, 'requestId' | 'startedAtMs' | 'keyId' | 'originId' | 'keyName' | 'endpoint' | 'strategy'> {
  /** Names of the models that consumed something, as far as they were kept. */
  readonly models: readonly string[];
  /** The part that its cost lacks: calls without a known price, or those that the user's own router bills. */
  readonly costGap?: 'unpriced' | 'router';
  /** `lost`: its process died; `ended`: how was not kept. */
  readonly outcome: RequestOutcome | 'running' | 'lost' | 'ended';
  /** Until its end. */
  readonly durationMs?: number;
}

export interface RequestLogStore {
  /** Requests of a user behind a place, newest first and of one moment by id, `max` at most. */
  listRequests(userId: string, page: { readonly before: RequestPlace; readonly max: number }): Promise<LoggedRequest[]>;
}

export type RequestPlace = Pick<LoggedRequest, 'startedAtMs' | 'requestId'>;
