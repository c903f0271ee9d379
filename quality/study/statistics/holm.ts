/** The p values of several tests, adjusted after Holm: what is below a limit then is so with all of them together. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, index) => index).sort((a, b) => (ps[a] as number) - (ps[b] as number));
  const adjusted = [...ps];
  let highest = 0;
  for (const [rank, index] of order.entries()) {
    highest = Math.max(highest, Math.min(1, (ps.length - rank) * (ps[index] as number)));
    adjusted[index] = highest;
  }
  return adjusted;
}
