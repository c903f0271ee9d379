import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Clock } from '../lib/clock';
import type { KeyRing, RingKey } from './key-ring';

/**
 * A secret at rest, envelope-encrypted: `ct` under a data key of its own, that key (`wdek`: nonce, ciphertext and tag
 * in one) under the ring's key `kid`. All bytes are base64url. Both layers are AES-256-GCM and bound to the secret's
 * owner and to `kid`, so a box copied to another user, or renamed to another key, does not open.
 */
export interface SealedSecret {
  readonly v: 1;
  readonly kid: string;
  readonly alg: 'A256GCM';
  readonly wdek: string;
  readonly iv: string;
  readonly ct: string;
  readonly tag: string;
}

/** Whose secrets these are, and the keys they are sealed with. */
export interface BoxOwner {
  readonly userId: string;
  readonly ring: KeyRing;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals a secret under the ring's current key, with a fresh data key each time. Throws when the ring is empty. */
export function seal(secret: string, { userId, ring }: BoxOwner, clock: Clock): SealedSecret {
  const [current] = ring;
  if (!current) throw new Error('the key ring is empty');
  const bound = boundTo(userId, current.kid);
  const dataKey = Buffer.from(clock.randomBytes(KEY_BYTES));
  const content = encrypt(Buffer.from(secret, 'utf8'), { key: dataKey, bound }, clock);
  const wrapped = encrypt(dataKey, { key: current.key, bound }, clock);
  dataKey.fill(0);
  return {
    v: 1,
    kid: current.kid,
    alg: 'A256GCM',
    wdek: Buffer.concat([wrapped.nonce, wrapped.ciphertext, wrapped.tag]).toString('base64url'),
    iv: content.nonce.toString('base64url'),
    ct: content.ciphertext.toString('base64url'),
    tag: content.tag.toString('base64url'),
  };
}

/**
 * Opens a box with the ring's key it was sealed under, the current one or an older one. Undefined when the ring no
 * longer has that key, or when anything in the box is not as it was sealed for this user.
 */
export function open(box: SealedSecret, { userId, ring }: BoxOwner): string | undefined {
  const found = ring.find(({ kid }) => kid === box.kid);
  if (!found || box.v !== 1 || box.alg !== 'A256GCM') return undefined;
  try {
    return opened(box, found, boundTo(userId, box.kid));
  } catch {
    // Of a failed decryption there is nothing more to know, and its error must not travel.
    return undefined;
  }
}

/** Whether a box is sealed under the key that new ones are sealed under. */
export function isCurrent(box: SealedSecret, ring: KeyRing): boolean {
  return box.kid === ring[0]?.kid;
}

function opened(box: SealedSecret, { key }: RingKey, bound: Buffer): string {
  const wrapped = bytesOf(box.wdek);
  const dataKey = decrypt(
    {
      nonce: wrapped.subarray(0, NONCE_BYTES),
      ciphertext: wrapped.subarray(NONCE_BYTES, -TAG_BYTES),
      tag: wrapped.subarray(-TAG_BYTES),
    },
    { key, bound },
  );
  const content = { nonce: bytesOf(box.iv), ciphertext: bytesOf(box.ct), tag: bytesOf(box.tag) };
  const secret = decrypt(content, { key: dataKey, bound });
  dataKey.fill(0);
  return secret.toString('utf8');
}

interface Encrypted {
  readonly nonce: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

interface Layer {
  readonly key: Buffer;
  /** Additional data: not stored, but needed to open. */
  readonly bound: Buffer;
}

/** The key's id has no `|`, so no two pairs of user and key give the same text. */
function boundTo(userId: string, kid: string): Buffer {
  return Buffer.from(`v1|routerKey|${userId}|${kid}`, 'utf8');
}

function encrypt(plain: Buffer, { key, bound }: Layer, clock: Clock): Encrypted {
  const nonce = Buffer.from(clock.randomBytes(NONCE_BYTES));
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound);
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { nonce, ciphertext, tag: cipher.getAuthTag() };
}

function decrypt({ nonce, ciphertext, tag }: Encrypted, { key, bound }: Layer): Buffer {
  if (nonce.length !== NONCE_BYTES) throw new Error('not a nonce');
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound).setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

/** Strict: a text with bits that decoding would drop is not what was written. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.toString('base64url') !== text) throw new Error('not base64url');
  return bytes;
}
