/** A question whose answer is one value, on the last line of what the model writes. */
export interface Question {
  /** What is asked, without how to answer. */
  readonly text: string;
  /** What stands after `Answer:`, as in `the number in digits`. */
  readonly form: string;
  /** The right value, as `read` gives it back. */
  readonly right: string;
  /** Plausible wrong values, likewise; all differ. */
  readonly wrong: readonly string[];
  /** A value as a model wrote it, in the one form in which values can be compared; undefined where it is none. */
  read(value: string): string | undefined;
}
