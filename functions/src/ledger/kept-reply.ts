import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Clock } from '../lib/clock';
import { pack } from '../lib/packed';

/** A good reply to be sent again: a JSON body, or the events of a stream without `data:`. */
export type KeptReply = { readonly body: object } | { readonly events: readonly string[] };

/** Makes what belongs to one idempotency key unreadable for anybody who has only the database. */
export interface ReplySeal {
  /** Under which the store knows it. */
  readonly id: string;
  readonly key: Uint8Array;
}

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The seal of an idempotency key as used with one API key; `secret` is the server's. */
export function replySeal(secret: Uint8Array, keyId: string, idempotencyKey: string): ReplySeal {
  const mac = (purpose: string): Buffer =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, keyId, idempotencyKey]))
      .digest();
  return { id: mac('id').toString('hex'), key: mac('reply') };
}

/** Compresses and encrypts a reply. */
export async function sealReply(reply: KeptReply, { id, key }: ReplySeal, clock: Clock): Promise<Uint8Array> {
  const nonce = clock.randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(id));
  const packed = await pack(reply);
  return Buffer.concat([nonce, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
}

/** The reverse of `sealReply`. Throws when anything in it is not as it was sealed. */
export function openReply(sealed: Uint8Array, { id, key }: ReplySeal): Uint8Array {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(-TAG_BYTES);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(id)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}
