/** An escaped backslash, a pair of surrogates, or half of one. */
const ESCAPES = /\\(?:\\|u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2}))/g;

/**
 * JSON with U+FFFD for each escaped half of a surrogate pair, which alone is no character: clients cut texts within an
 * emoji, and providers refuse the whole request for it.
 */
export function wellFormedJson(json: string): string {
  return json.replace(ESCAPES, (whole, half) => (half === undefined ? whole : '\ufffd'));
}
