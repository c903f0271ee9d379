import { createHash, createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Clock } from '../lib/clock';

/** A secret mixed into every key hash, so that a leaked or writable database alone yields no working key. */
export interface Pepper {
  /** Names the pepper without revealing it. */
  readonly version: string;
  readonly secret: string;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 43 base62 characters carry 256 bits. */
const RANDOM_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
/** What follows the public start of a key. */
const SECRET_PART = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/**
 * A new key: `sk-<prefix>_`, 43 random base62 characters, and 6 base62 characters of CRC-32 over everything before
 * them. The checksum lets typos and junk be refused without a read; it is no secret.
 */
export function generateKey(prefix: string, clock: Clock): string {
  const body = `${publicPrefix(prefix)}${randomBase62(RANDOM_LENGTH, clock)}`;
  return body + checksum(body);
}

/** The public start of every key, e.g. `sk-ens_`. */
export function publicPrefix(prefix: string): string {
  return `sk-${prefix}_`;
}

/** Whether a text has the shape of a key of ours and its checksum fits. Needs no store. */
export function isWellFormedKey(key: string, prefix: string): boolean {
  const start = publicPrefix(prefix);
  if (!key.startsWith(start) || !SECRET_PART.test(key.slice(start.length))) return false;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  return key === body + checksum(body);
}

/** How a key is stored: base64url of its HMAC-SHA-256 under one pepper. */
export function hashKey(key: string, pepper: Pepper): string {
  return createHmac('sha256', pepper.secret).update(key).digest('base64url');
}

/** The peppers of a comma-separated setting, newest first: new keys use the first, older keys are still found. */
export function parsePeppers(setting: string): Pepper[] {
  const secrets = setting.split(',').map((secret) => secret.trim());
  return secrets.filter(Boolean).map((secret) => {
    const digest = createHash('sha256').update(`pepper version\n${secret}`).digest('hex');
    return { version: digest.slice(0, 8), secret };
  });
}

/** A secret for another purpose, from the newest pepper: nobody who learns it knows anything of the pepper. */
export function derivedSecret([newest]: readonly Pepper[], purpose: string): Uint8Array {
  const hmac = createHmac('sha256', newest?.secret ?? '');
  return hmac.update(`derived secret\n${purpose}`).digest();
}

/** The key of an `Authorization: Bearer …` header; undefined when there is none. */
export function bearerKey(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

function checksum(text: string): string {
  const value = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = BASE62.charAt(Math.floor(value / 62 ** place) % 62) + digits;
  }
  return digits;
}

/** Rejection sampling: 248 is the largest multiple of 62 a byte can hold, so every character is equally likely. */
function randomBase62(length: number, clock: Clock): string {
  let text = '';
  while (text.length < length) {
    for (const byte of clock.randomBytes(length)) if (byte < 248) text += BASE62.charAt(byte % 62);
  }
  return text.slice(0, length);
}
