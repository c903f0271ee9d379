/** One reader's vote: seat ids from best to worst. No seat is on its own ballot. */
export type Ballot = readonly string[];

/** Borda points, 0 to 1 a ballot: best 1, worst 0, evenly between; a ballot of one gives its only name 1. */
export function bordaPoints(ballots: readonly Ballot[]): Map<string, number> {
  const points = new Map<string, number>();
  for (const ballot of ballots) {
    const ranked = [...new Set(ballot)];
    for (const [rank, seatId] of ranked.entries()) {
      const point = ranked.length === 1 ? 1 : 1 - rank / (ranked.length - 1);
      points.set(seatId, (points.get(seatId) ?? 0) + point);
    }
  }
  return points;
}
