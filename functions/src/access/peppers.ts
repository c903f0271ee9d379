import { createHash, createHmac } from 'node:crypto';

/** A secret mixed into every key hash, so that a leaked or writable database alone yields no working key. */
export interface Pepper {
  /** Names the pepper without revealing it. */
  readonly version: string;
  readonly secret: string;
  /** Secret of the tags of keys made under it; it reveals nothing of the pepper. */
  readonly tagKey: string;
}

/** The peppers of a comma-separated setting, newest first: new keys use the first, older keys are still found. */
export function parsePeppers(setting: string): Pepper[] {
  const secrets = setting.split(',').map((secret) => secret.trim());
  return secrets.filter(Boolean).map((secret) => {
    const digest = createHash('sha256').update(`pepper version\n${secret}`).digest('hex');
    const tagKey = createHmac('sha256', secret).update('key tag').digest('base64url');
    return { version: digest.slice(0, 8), secret, tagKey };
  });
}

/** A secret for another purpose, from the newest pepper: nobody who learns it knows anything of the pepper. */
export function derivedSecret([newest]: readonly Pepper[], purpose: string): Uint8Array {
  const hmac = createHmac('sha256', newest?.secret ?? '');
  return hmac.update(`derived secret\n${purpose}`).digest();
}
