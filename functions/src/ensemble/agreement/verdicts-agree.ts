import type { Agreement } from './agreement';

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
