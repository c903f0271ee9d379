import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../lib/clock';
import type { KeyTagStore } from './key-store';
import type { Pepper } from './peppers';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 43;
const TAG_LENGTH = 6;
const SECRET_PART = new RegExp(`^[0-9A-Za-z]{${RANDOM_LENGTH + TAG_LENGTH}}$`);

/** A new key: `sk-<prefix>_`, 43 random base62 characters, and as a tag 6 of a MAC over everything before them. */
export function generateKey(prefix: string, clock: Clock, { tagKey }: Pepper): string {
  const body = `${publicPrefix(prefix)}${randomBase62(RANDOM_LENGTH, clock)}`;
  return body + tagOf(body, tagKey);
}

/** The public start of every key, e.g. `sk-ens_`. */
export function publicPrefix(prefix: string): string {
  return `sk-${prefix}_`;
}

export function isWellFormedKey(key: string, prefix: string): boolean {
  const start = publicPrefix(prefix);
  return key.startsWith(start) && SECRET_PART.test(key.slice(start.length));
}

/** True for a well-formed key that was made with one of `tagKeys`, decided in constant time. @internal */
export function hasTag(key: string, tagKeys: readonly string[]): boolean {
  const body = key.slice(0, -TAG_LENGTH);
  const tag = Buffer.from(key.slice(-TAG_LENGTH));
  const fits = tagKeys.map((tagKey) => timingSafeEqual(Buffer.from(tagOf(body, tagKey)), tag));
  return fits.includes(true);
}

/** Stored form of a key: base64url of its HMAC-SHA-256 under one pepper. */
export function hashKey(key: string, pepper: Pepper): string {
  return createHmac('sha256', pepper.secret).update(key).digest('base64url');
}

/** The key of an `Authorization: Bearer …` header; undefined when there is none. */
export function bearerKey(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** 48 bits are so many more than six digits hold that none of those is noticeably rarer. */
function tagOf(text: string, tagKey: string): string {
  let value = createHmac('sha256', tagKey).update(text).digest().readUIntBE(0, 6);
  let digits = '';
  for (let place = 0; place < TAG_LENGTH; place += 1) {
    digits = BASE62.charAt(value % 62) + digits;
    value = Math.floor(value / 62);
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

const REFRESH_MS = 10 * 60_000;

/** Tells well-formed keys that were issued: of live peppers at once, of retired ones by the tag keys that the store keeps. */
export function createKeyTags(store: KeyTagStore, peppers: readonly Pepper[], clock: Clock) {
  const live = peppers.map(({ tagKey }) => tagKey);
  let stored: Promise<readonly string[]> | undefined;
  let readMs = 0;

  /** Rejects as the store does where the tag is of no live pepper. */
  return async (key: string): Promise<boolean> => hasTag(key, live) || hasTag(key, await storedTagKeys());

  function storedTagKeys(): Promise<readonly string[]> {
    const askedMs = clock.monotonicMs();
    if (stored && askedMs - readMs < REFRESH_MS) return stored;
    readMs = askedMs;
    stored = store.listTagKeys().catch((error: unknown) => {
      // Whoever comes later tries again.
      stored = undefined;
      throw error;
    });
    return stored;
  }
}
