import { toFourDecimals } from '../../lib/to-four-decimals';
import { type Agreement, pairShare } from './agreement';

/**
 * Agreement of ballots, each of seats, best first, and without the voter's own: for the text that they agree on most, the share of pairs of those who could vote for it that both
 * put it first. Undefined where no text is on two ballots.
 */
export function ballotsAgree(ballots: readonly (readonly string[])[]): Agreement | undefined {
  const seats = [...new Set(ballots.flat())];
  const counts = seats.map((seat) => ({
    first: ballots.filter(([first]) => first === seat).length,
    total: ballots.filter((ballot) => ballot.includes(seat)).length,
  }));
  const [most] = counts
    .filter(({ total }) => total > 1)
    .map((count) => ({ ...count, share: pairShare([count.first], count.total) }))
    .sort((a, b) => b.share - a.share || b.first - a.first || b.total - a.total);
  return most && { share: toFourDecimals(most.share), measuredOn: 'ballots', words: ballotWords(most) };
}

function ballotWords({ first, total }: { readonly first: number; readonly total: number }): string {
  if (first < 2) return 'No two ballots put the same text first.';
  return `${first === total ? 'All' : first} of the ${total} who could vote for it put the same text first.`;
}
