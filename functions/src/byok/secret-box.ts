import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Clock } from '../lib/clock';

/** Keys of 256 bits under names that may be stored beside what they encrypt. */
export type KeyRing = readonly { readonly kid: string; readonly key: Buffer }[];

/** A secret at rest, sealed under a data key of its own, that key (`wdek`) under the ring's key `kid`; bound to its owner. */
export interface SealedSecret {
  readonly v: 1;
  readonly kid: string;
  readonly alg: 'A256GCM';
  readonly wdek: string;
  readonly iv: string;
  readonly ct: string;
  readonly tag: string;
}

interface BoxOwner {
  readonly userId: string;
  readonly ring: KeyRing;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** No `|`, which parts the fields of the additional data; no `:` or `,`, which part those of the setting. */
const KID = /^[A-Za-z0-9_-]{1,32}$/;

/** The ring of a setting `kid:key,kid:key`, each key 32 bytes in base64 or base64url. */
export function parseKeyRing(setting: string): KeyRing {
  const entries = setting.split(',').map((entry) => entry.trim());
  const ring = entries.filter(Boolean).map(parseRingKey);
  const kids = new Set(ring.map(({ kid }) => kid));
  if (kids.size < ring.length) throw new Error('ROUTER_KEY_SECRET must name every key only once');
  return ring;
}

function parseRingKey(entry: string, index: number): KeyRing[number] {
  const [kid = '', text = '', ...rest] = entry.split(':');
  const key = Buffer.from(text, 'base64');
  const isBase64 = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) && rest.length === 0;
  if (!KID.test(kid) || !isBase64 || key.length !== KEY_BYTES) {
    throw new Error(`ROUTER_KEY_SECRET: entry ${index + 1} must be <id>:<32 bytes in base64>`);
  }
  return { kid, key };
}

/** Seals a secret under the ring's current key, with a fresh data key each time. Throws when the ring is empty. */
export function seal(secret: string, { userId, ring }: BoxOwner, clock: Clock): SealedSecret {
  const [current] = ring;
  if (!current) throw new Error('the key ring is empty');
  const { kid, key } = current;
  const bound = boundTo(userId, kid);
  const dataKey = Buffer.from(clock.randomBytes(KEY_BYTES));
  const content = encrypt(Buffer.from(secret), { key: dataKey, bound }, clock);
  const wdek = encrypt(dataKey, { key, bound }, clock).toString('base64url');
  dataKey.fill(0);
  const [iv, ct, tag] = partsOf(content).map((bytes) => bytes.toString('base64url')) as [string, string, string];
  return { v: 1, kid, alg: 'A256GCM', wdek, iv, ct, tag };
}

/** Opens a box with the ring's key it was sealed under, the current one or an older one. */
export function open(box: SealedSecret, { userId, ring }: BoxOwner): string | undefined {
  const found = ring.find(({ kid }) => kid === box.kid);
  if (!found || box.v !== 1 || box.alg !== 'A256GCM') return undefined;
  const bound = boundTo(userId, box.kid);
  try {
    const dataKey = decrypt([box.wdek], { key: found.key, bound });
    const secret = decrypt([box.iv, box.ct, box.tag], { key: dataKey, bound });
    dataKey.fill(0);
    return secret.toString('utf8');
  } catch {
    // Of a failed decryption there is nothing more to know, and its error must not travel.
    return undefined;
  }
}

interface Layer {
  readonly key: Buffer;
  /** Additional data: not stored, but needed to open. */
  readonly bound: Buffer;
}

/** The key's id has no `|`, so no two pairs of user and key give the same text. */
function boundTo(userId: string, kid: string): Buffer {
  return Buffer.from(`v1|routerKey|${userId}|${kid}`);
}

function encrypt(plain: Buffer, { key, bound }: Layer, clock: Clock): Buffer {
  const nonce = Buffer.from(clock.randomBytes(NONCE_BYTES));
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Opens nonce, ciphertext and tag, in one text or several. */
function decrypt(texts: readonly string[], { key, bound }: Layer): Buffer {
  const sealed = Buffer.concat(texts.map((text) => Buffer.from(text, 'base64url')));
  const [nonce, ciphertext, tag] = partsOf(sealed);
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound).setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

function partsOf(sealed: Buffer): [nonce: Buffer, ciphertext: Buffer, tag: Buffer] {
  const ciphertext = sealed.subarray(NONCE_BYTES, -TAG_BYTES);
  return [sealed.subarray(0, NONCE_BYTES), ciphertext, sealed.subarray(-TAG_BYTES)];
}
