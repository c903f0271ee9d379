import type { SeededRandom } from '../seeded-random.ts';

/** A function to be written, and all that is known of it. */
export interface CodeProblem {
  readonly name: string;
  /** Such as `items, size`. */
  readonly parameters: string;
  /** The value that is asked for, in sentences. */
  readonly statement: string;
  /** A right program: its values are those that are right. They are JSON without objects, whose fields have no order. */
  readonly right: string;
  /** Mistakes of people and models: texts of the right program, and what stands there in a wrong one. */
  readonly slips: readonly (readonly [right: string, wrong: string])[];
  /** Arguments of a call, at random. */
  input(random: SeededRandom): readonly unknown[];
  /** Arguments on which wrong programs show. */
  readonly edges: readonly (readonly unknown[])[];
}

/** A few whole numbers from `least` to `most`. */
export function someNumbers(random: SeededRandom, least: number, most: number): number[] {
  return Array.from({ length: random.between(4, 10) }, () => random.between(least, most));
}

/** A word of a few letters. */
export function someWord(random: SeededRandom, lengthMax: number): string {
  return Array.from({ length: random.between(1, lengthMax) }, () => 'abcdefgh'[random.below(8)]).join('');
}
