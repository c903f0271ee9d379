import type { CancelTimer, Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { Claimed, IdempotencyStore } from './idempotency-store';
import { type KeptReply, type ReplySeal, sealReply } from './kept-reply';

/** A process that has died is taken for alive this long. */
export const CLAIM_LEASE_MS = 30_000;
const RENEW_EVERY_MS = 10_000;
/** No run is longer: whatever becomes of the reply, its claim is not renewed for ever. */
const CLAIM_MAX_MS = 660_000;
/** A larger reply, compressed, is not kept. */
const REPLY_BYTES_MAX = 8 * 1024 * 1024;

interface ClaimDeps {
  readonly store: IdempotencyStore;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Renews a granted claim until what it returns is called: with the reply to keep, or without one to free the key. That
 * never rejects: what could not be kept can be asked for anew when its lease has ended.
 */
export function holdClaim(
  { store, clock, log }: ClaimDeps,
  { mayKeep, ...claimed }: Claimed & { mayKeep(bytes: number): boolean },
  seal: ReplySeal,
): (kept?: KeptReply) => Promise<void> {
  const untilMs = clock.nowMs() + CLAIM_MAX_MS;
  let cancel = renewLater();
  return async (kept) => {
    cancel();
    try {
      const sealed = kept && (await sealReply(kept, seal, clock));
      if (sealed && sealed.length <= REPLY_BYTES_MAX && mayKeep(sealed.length)) await store.keepReply(claimed, sealed);
      else await store.releaseClaim(claimed);
    } catch (error) {
      failed(error);
    }
  };

  function renewLater(): CancelTimer {
    return clock.after(RENEW_EVERY_MS, () => {
      const nowMs = clock.nowMs();
      store.renewClaim(claimed, nowMs + CLAIM_LEASE_MS).catch(failed);
      if (nowMs < untilMs) cancel = renewLater();
    });
  }

  function failed(error: unknown): void {
    log.error('idempotency key not updated', { requestId: claimed.requestId }, error);
  }
}
