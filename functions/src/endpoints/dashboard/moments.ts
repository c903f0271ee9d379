/** A moment as the dashboard's replies have it: ISO 8601, UTC; null where there is none. */
export function isoOf(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}
