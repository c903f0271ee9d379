import { Lru } from '../../lib/lru';
import type { LedgerRecord } from '../store';

/** Where a request is booked; fixed for good by its reservation. */
export type Place = Pick<LedgerRecord, 'userId' | 'keyId' | 'keyName' | 'month' | 'startedAtMs'>;

const PLACES_MAX = 10_000;

/** The places of this process's requests, so that a settlement can read all it needs in one round trip. */
export class Places {
  readonly #known = new Lru<string, Place>(PLACES_MAX);

  note({ requestId, userId, keyId, keyName, month, startedAtMs }: Place & { readonly requestId: string }): void {
    this.#known.set(requestId, { userId, keyId, keyName, month, startedAtMs });
  }

  find(requestId: string): Place | undefined {
    return this.#known.get(requestId);
  }

  forget(requestId: string): void {
    this.#known.delete(requestId);
  }
}
