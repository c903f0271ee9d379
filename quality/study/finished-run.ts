/** A run of one arm on one task, as it is kept. */
export interface FinishedRun {
  readonly task: string;
  readonly arm: string;
  /** From 1. */
  readonly repeat: number;
  /** The number of a sample among those of one model that are voted on, from 1; 0 for a run that answers by itself. */
  readonly sample: number;
  readonly answer: string;
  /** Null: nobody can say, as for an open question without an expected answer. */
  readonly isRight: boolean | null;
  readonly hasForm: boolean;
  readonly falseFacts: number;
  /** Of a task in which one member alone has a fact: the answer's author was shown it, and it stands in the answer. */
  readonly keptFact?: { readonly reached: boolean; readonly stands: boolean };
  /** The content of an answer that is more than its last line. */
  readonly comesTo?: string;
  readonly costNanoUsd: number;
  /** True if the price of every model that was called is known. */
  readonly isPriced: boolean;
  readonly calls: number;
  /** From the request to the first piece of the answer; null where there was none. */
  readonly firstTextMs: number | null;
  readonly durationMs: number;
  /** Why there is no answer. */
  readonly fault?: string;
}

/** The arm of one model that answers alone. */
export const singleArm = (model: string): string => `single ${model}`;

/** The arm of one model whose samples are voted on. */
export const samplesArm = (model: string): string => `samples ${model}`;
