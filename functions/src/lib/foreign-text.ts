/** Characters that act on a terminal or on the order of its lines instead of being shown there. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * The text with escapes (`\u001b`) for what a terminal would act on instead of showing it: control characters, marks that
 * change the direction of writing, breaks of lines. In JSON it means the same as before.
 */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/** A character by the code of each of its units. */
export function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}

/**
 * Text as ids and names may have it, where anybody may choose them: no control characters, and no half of a surrogate
 * pair, which databases replace, so that two ids would become one.
 */
export const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]*$/u;

/** The rule in words. */
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

/**
 * Shapes of keys, wherever in a text: this service's (`sk-<prefix>_…`), those of providers and routers (`sk-…`,
 * `sk_…`, `pk-…`, `rk-…`, Google's `AIza…` and `ya29.…`), and tokens (`eyJ…`). No word of a language is taken for one:
 * what follows "ta" in "task-…" is none.
 */
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
