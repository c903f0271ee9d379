import type { SeededRandom } from '../seeded-random.ts';

/** A function to be written, and all that is known of it. */
export interface CodeProblem {
  readonly name: string;
  /** As in `items, size`. */
  readonly parameters: string;
  /** What it is to return, in sentences. */
  readonly statement: string;
  /** What it returns for some arguments; what JSON can hold, without objects, whose fields have no order. */
  solve(...given: never[]): unknown;
  /** Arguments of a call, at random. */
  input(random: SeededRandom): readonly unknown[];
  /** Arguments on which wrong programs show. */
  readonly edges: readonly (readonly unknown[])[];
  /** A right program. */
  readonly right: string;
  /** Programs with mistakes that people and models make. */
  readonly wrong: readonly string[];
}

const LETTERS = 'abcdefgh';

/** Whole numbers from `least` to `most`, so many as `count` allows. */
export function someNumbers(random: SeededRandom, least: number, most: number): number[] {
  return Array.from({ length: random.between(4, 10) }, () => random.between(least, most));
}

/** A word of a few letters. */
export function someWord(random: SeededRandom, lengthMax: number): string {
  return Array.from({ length: random.between(1, lengthMax) }, () => LETTERS[random.below(LETTERS.length)]).join('');
}
