/** Levenshtein distance of two texts; above `max` it is not counted to the end. */
export function editDistance(a: string, b: string, max = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > max) return Math.abs(a.length - b.length);
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
    // No later row holds a smaller number than the smallest of this one.
    const least = Math.min(...row);
    if (least > max) return least;
  }
  return row[b.length] as number;
}
