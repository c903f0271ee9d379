/**
 * Whether a model id fits one of the patterns, in which `*` stands for any characters, none included, and everything
 * else for itself, case included. Linear in the id for each part of a pattern: no pattern can be made to backtrack.
 */
export function fitsPattern(id: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => fits(id, pattern));
}

function fits(id: string, pattern: string): boolean {
  const [start = '', ...rest] = pattern.split('*');
  const end = rest.pop();
  if (end === undefined) return id === pattern;
  if (!id.startsWith(start) || !id.endsWith(end)) return false;
  // The leftmost place for each part leaves the most room for those after it.
  let at = start.length;
  for (const part of rest) {
    const found = id.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= id.length - end.length;
}
