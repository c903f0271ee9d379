/** One key-encryption key: 256 bits under a name that may be stored beside what it encrypts. */
export interface RingKey {
  readonly kid: string;
  readonly key: Buffer;
}

/** The current key first; the others still open what was sealed under them. Empty: nothing can be sealed. */
export type KeyRing = readonly RingKey[];

const KEY_BYTES = 32;
/** No `|`, which parts the fields of the additional data; no `:` or `,`, which part those of the setting. */
const KID = /^[A-Za-z0-9_-]{1,32}$/;

/**
 * The ring of a setting `kid:key,kid:key`, each key 32 bytes in base64 or base64url. Throws when it is not of that form,
 * or names a key twice; the message never quotes a key.
 */
export function parseKeyRing(setting: string): KeyRing {
  const entries = setting.split(',').map((entry) => entry.trim());
  const ring = entries.filter((entry) => entry !== '').map(parseEntry);
  const kids = new Set(ring.map(({ kid }) => kid));
  if (kids.size < ring.length) throw new Error('ROUTER_KEY_SECRET must name every key only once');
  return ring;
}

function parseEntry(entry: string, index: number): RingKey {
  const at = entry.indexOf(':');
  const kid = entry.slice(0, Math.max(0, at));
  const text = entry.slice(at + 1);
  const key = Buffer.from(text, 'base64');
  if (!KID.test(kid) || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text) || key.length !== KEY_BYTES) {
    throw new Error(`ROUTER_KEY_SECRET: entry ${index + 1} must be <id>:<32 bytes in base64>`);
  }
  return { kid, key };
}
