/** A reply and what a last line says about it. */
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
  const line = splitLine(reply, keyword);
  const match = new RegExp(`^(${words})(?![a-z\\d])([\\s\\S]*)$`, 'i').exec(line?.said ?? '');
  if (!line || !match) return { text: reply.trim(), word: undefined, rest: '' };
  return { text: line.text, word: match[1]?.toLowerCase(), rest: match[2] ?? '' };
}

/** The line is asked for at the very end; so many lines behind it, such as a remark or a closing fence, are forgiven. */
const LINES_AFTER_MAX = 2;

/** A reply without its last line `KEYWORD: …`, and what that line says; undefined where it does not end with one. */
export function splitLine(
  reply: string,
  keyword: string,
): { readonly text: string; readonly said: string } | undefined {
  const pattern = new RegExp(`^[\\s*_\`>#"'“”([•-]*${keyword}[\\s*_\`"'”]*[:：][\\s*_\`"'“”([]*`, 'i');
  const lines = reply.trimEnd().split('\n');
  let after = 0;
  for (let at = lines.length - 1; at >= 0 && after <= LINES_AFTER_MAX; at -= 1) {
    const line = (lines[at] ?? '').trimEnd();
    const match = pattern.exec(line);
    if (match) {
      lines.splice(at, 1);
      return { text: lines.join('\n').trim(), said: line.slice(match[0].length) };
    }
    if (line !== '') after += 1;
  }
  return undefined;
}
