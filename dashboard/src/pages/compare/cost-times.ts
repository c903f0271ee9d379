/**
 * The multiple of the cheapest cost, such as `4.2 ×`: the honest figure of an ensemble. Undefined until all are known; a dash
 * where the cheapest costs nothing, as nothing can be so many times that.
 */
export function costTimes(costs: readonly (number | undefined)[], at: number): string | undefined {
  const known = costs.filter((cost) => cost !== undefined);
  const own = costs[at];
  if (own === undefined || known.length < costs.length) return undefined;
  const least = Math.min(...known);
  return least === 0 ? '–' : `${(own / least).toFixed(1)} ×`;
}
