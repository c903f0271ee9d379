import { toFourDecimals } from '../../lib/to-four-decimals';

export const MEASURES = ['final_answers', 'json_values', 'ballots', 'verdicts', 'revisions'] as const;

export interface Agreement {
  /** 0 to 1, to four decimals. */
  readonly share: number;
  readonly measuredOn: (typeof MEASURES)[number];
  /** Count that it comes from, in one sentence for people. */
  readonly words: string;
}

/** Share of all pairs among `total` things that lie within one group: 1 for one group, 0 where none is larger than 1. */
export function pairShare(groupSizes: readonly number[], total: number): number {
  return groupSizes.reduce((sum, size) => sum + pairsOf(size), 0) / pairsOf(total);
}

function pairsOf(count: number): number {
  return (count * (count - 1)) / 2;
}

/** Share of pairs of voters that put first the text they agree on most; undefined where no text is on two ballots. */
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

/** Share of participants that left their text as it was when they were last asked; undefined for fewer than two. */
export function revisionsAgree(
  contributors: readonly { readonly lastRevision?: 'kept' | 'changed' }[],
): Agreement | undefined {
  const revised = contributors.filter(({ lastRevision }) => lastRevision !== undefined);
  if (revised.length < 2) return undefined;
  const kept = revised.filter(({ lastRevision }) => lastRevision === 'kept').length;
  return {
    share: toFourDecimals(kept / revised.length),
    measuredOn: 'revisions',
    words: `${kept === 0 ? 'None' : kept} of ${revised.length} participants left their text as it was, having read the others’.`,
  };
}

/** Agreement of two verdicts on the same texts, read in opposite orders: 1 where both find the same, else 0. */
export function verdictsAgree([one, other]: readonly [one: string | undefined, other: string | undefined]): Agreement {
  if (one !== other) {
    return {
      share: 0,
      measuredOn: 'verdicts',
      words: 'The two verdicts differ: the order in which the sides are read decides.',
    };
  }
  const found = one === undefined ? 'neither side wins' : `the ${one} wins`;
  return { share: 1, measuredOn: 'verdicts', words: `In both orders of reading the verdict is the same: ${found}.` };
}
