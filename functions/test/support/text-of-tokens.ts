/** A text that is taken for so many tokens, whatever the rates: an emoji is two, and a full stop a part of one. */
export function textOfTokens(tokens: number): string {
  return '🍅'.repeat(Math.floor(tokens / 2)) + (tokens % 2 === 1 ? '.' : '');
}
