/** The value below which `share` (0 to 1) of the numbers lie, by nearest rank. NaN for an empty list. */
export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The middle number; of an even count the mean of the middle two. NaN for an empty list. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** How much of the time line the intervals `[startMs, endMs]` cover together, in ms. */
export function unionMs(intervals) {
  let covered = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [startMs, endMs] of [...intervals].sort((a, b) => a[0] - b[0])) {
    covered += Math.max(0, endMs - Math.max(startMs, reached));
    reached = Math.max(reached, endMs);
  }
  return covered;
}
