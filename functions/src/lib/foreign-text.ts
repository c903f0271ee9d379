/** Characters that act on a terminal or on the order of its lines instead of being shown there. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text with escapes (`\u001b`) for what a terminal would act on; in JSON it means the same as before. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** A character by the code of each of its units. */
export function escaped(character: string): string {
  let codes = '';
  for (let at = 0; at < character.length; at += 1)
    codes += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return codes;
}

/** Text of ids and names that anybody may choose: a database would make one of two ids with half a surrogate pair. */
export const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]*$/u;

export const PLAIN_TEXT_RULE = 'must be well-formed text without control characters';

/** Text that a client has percent-encoded in a path; undefined where it is none. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const MARK = '[redacted]';

/** Shapes of keys of this service, of providers and routers, and of tokens; no word is taken for one ("task-…"). */
const KEYS =
  /sk-[a-z0-9]{1,16}_[A-Za-z0-9]{16,}|(?<![A-Za-z])[spr]k[-_][-_A-Za-z0-9]{16,}|AIza[-_A-Za-z0-9]{16,}|ya29\.[-_A-Za-z0-9]{16,}|eyJ[-_A-Za-z0-9]{16,}[-._A-Za-z0-9]*/g;
const BEARER = /(bearer\s+)\S+/gi;

/** The text without anything shaped like a key or a token. Takes time in proportion to its length. */
export function redact(text: string): string {
  return text.replace(KEYS, MARK).replace(BEARER, `$1${MARK}`);
}

/** At most `max` characters of a text of somebody else's, redacted before it is cut: half a key is no longer like one. */
export function excerpt(text: string, max = 200): string {
  return redact(text).slice(0, max);
}
