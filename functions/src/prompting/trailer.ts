/** A reply and what its last line says about it. */
export interface Trailed {
  /** The reply without that line. */
  readonly text: string;
  /** The first word after the keyword, in lower case; undefined when the reply does not end with such a line. */
  readonly word: string | undefined;
  /** What follows the word on that line. */
  readonly rest: string;
}

/**
 * Splits a reply from its last line `KEYWORD: word …`, which the prompt asked for; `words` is a pattern of those it may
 * hold. Without such a line nothing is cut.
 */
export function parseTrailer(reply: string, keyword: string, words = '[a-z]+'): Trailed {
  const lines = reply.trimEnd().split('\n');
  const match = new RegExp(`^[\\s*_\`>-]*${keyword}:[\\s*_\`]*(${words})(?![a-z\\d])(.*)$`, 'i').exec(
    lines.at(-1) ?? '',
  );
  if (!match) return { text: reply.trim(), word: undefined, rest: '' };
  return { text: lines.slice(0, -1).join('\n').trim(), word: match[1]?.toLowerCase(), rest: match[2] ?? '' };
}
