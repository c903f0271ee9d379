import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { CancelTimer, Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import { pack } from '../lib/packed';

/** A request that wants to be the one that is made under an idempotency key. */
export interface Claim {
  /** Digest of an API key and an idempotency key together: 64 hex characters. */
  readonly id: string;
  /** Digest of the endpoint and the body. */
  readonly fingerprint: string;
  readonly requestId: string;
  /** The claim is void from here on unless it is renewed: its process has died. */
  readonly leaseUntilMs: number;
  /** Everything is forgotten from here on. */
  readonly expiresAtMs: number;
}

/** Outcome of a claim: granted, or the request that holds the key, with its sealed reply where it has ended well. */
export type ClaimOutcome =
  | { readonly granted: true }
  | { readonly granted: false; readonly fingerprint: string; readonly reply?: Uint8Array };

export type Claimed = Pick<Claim, 'id' | 'requestId'>;

/** Requests with an idempotency key, over all processes. */
export interface IdempotencyStore {
  /** Grants one of any number of claims at once, unless one is alive or has its reply; again to its own request. */
  claimKey(claim: Claim, nowMs: number): Promise<ClaimOutcome>;
  /** Lengthens a claim's lease; does nothing when the key is another request's by now, or has its reply. */
  renewClaim(claimed: Claimed, leaseUntilMs: number): Promise<void>;
  /** Keeps the reply and ends the claim; does nothing when the key is another request's by now. */
  keepReply(claimed: Claimed, reply: Uint8Array): Promise<void>;
  /** Frees the key; does nothing when it is another request's by now, or has its reply. */
  releaseClaim(claimed: Claimed): Promise<void>;
}

/** A good reply to be sent again: a JSON body, or the events of a stream without `data:`. */
export type KeptReply = { readonly body: object } | { readonly events: readonly string[]; readonly named?: true };

/** Makes what belongs to one idempotency key unreadable for anybody who has only the database. */
export interface ReplySeal {
  /** Under which the store knows it. */
  readonly id: string;
  readonly key: Uint8Array;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function replySeal(secret: Uint8Array, keyId: string, idempotencyKey: string): ReplySeal {
  const mac = (purpose: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, keyId, idempotencyKey]))
      .digest();
  return { id: mac('id').toString('hex'), key: mac('reply') };
}

async function sealReply(reply: KeptReply, { id, key }: ReplySeal, clock: Clock): Promise<Uint8Array> {
  const nonce = clock.randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(id));
  const packed = await pack(reply);
  return Buffer.concat([nonce, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

export function openReply(sealed: Uint8Array, { id, key }: ReplySeal): Uint8Array {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(-TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(id)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

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

/** Renews a granted claim until what it returns is called: with the reply to keep, or without one to free the key. */
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
