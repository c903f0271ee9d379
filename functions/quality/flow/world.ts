import { seededRandom } from '../tasks/seeded-random';

/** What the members of a panel are like. */
export interface PanelOdds {
  readonly members: number;
  /** How likely a member is right. */
  readonly accuracy: number;
  /** The correlation between being right of any two members. */
  readonly correlation: number;
  /** Whether who is wrong writes more, and says it with more confidence; else neither tells anything. */
  readonly loudWhenWrong: boolean;
}

/** What a member thinks before it has read anything. */
export interface Belief {
  readonly value: string;
  /** Words of its text. */
  readonly words: number;
  /** 0 to 99. */
  readonly confidence: number;
}

/** The right value in every world. */
export const RIGHT = '100';
/** Those who are wrong spread over so many values. */
const WRONG_VALUES = 3;

const FINE = 1_000_000;
const WORDS = { least: 5, most: 60 } as const;
const LOUD_WORDS = 60;
const CONFIDENCE = { least: 1, most: 50 } as const;
const LOUD_CONFIDENCE = 49;

/**
 * What each member of a panel believes, the same for the same seed. With the odds of the correlation all share one belief, else
 * each has its own: so any two are right together as often as the correlation says.
 */
export function beliefsOf(seed: string, { members, accuracy, correlation, loudWhenWrong }: PanelOdds): Belief[] {
  const random = seededRandom(seed);
  const happens = (odds: number): boolean => random.below(FINE) < odds * FINE;
  const drawn = (): string => (happens(accuracy) ? RIGHT : String(200 + random.below(WRONG_VALUES)));
  // All are drawn, whether they are used or not: the same panel, under other odds, differs in nothing else.
  const isShared = happens(correlation);
  const shared = drawn();
  return Array.from({ length: members }, () => {
    const own = drawn();
    const value = isShared ? shared : own;
    const loud = loudWhenWrong && value !== RIGHT;
    return {
      value,
      words: random.between(WORDS.least, WORDS.most) + (loud ? LOUD_WORDS : 0),
      confidence: random.between(CONFIDENCE.least, CONFIDENCE.most) + (loud ? LOUD_CONFIDENCE : 0),
    };
  });
}
