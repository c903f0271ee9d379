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
