import { labelsInLine } from '../../../prompting/label-in-text';
import { splitLine } from '../../../prompting/trailer';
import { parseRevisionLine } from '../../panel/revision';

/** How a reviser ends its reply: whether its draft stands, and how it ranks the others'. */
export interface Revision {
  /** The reply without its last line. */
  readonly text: string;
  readonly kept: boolean;
  /** Labels from best to worst; empty when the reviser did not vote. */
  readonly ranking: readonly string[];
}

/** Splits a reviser's reply from its last line, or two. A reply without one is a change without a vote. */
export function parseRevision(reply: string): Revision {
  const apart = splitLine(reply, 'BALLOT');
  const { text, word, rest } = parseRevisionLine(apart?.text ?? reply);
  const ballot = apart?.said ?? /BALLOT[\s*_`]*[:：]([\s\S]*)$/i.exec(rest)?.[1] ?? '';
  return { text, kept: word === 'kept', ranking: labelsInLine(ballot) };
}

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
