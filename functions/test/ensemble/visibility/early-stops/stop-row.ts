import type { HeardCall } from '../../../support/token-models';
import type { StrategyProof } from '../scene';

/** A run that ends early, or one that lacks very little to. */
export interface StopRow {
  readonly rule: string;
  readonly proof: StrategyProof;
  readonly n: number;
  readonly rounds: number;
  /** How a text of `who` ends in a round, or what a review or an attack is; undefined: as in the proof. */
  readonly ends: (heard: HeardCall) => string | undefined;
  readonly silent?: readonly string[];
  /** Calls in each wave. */
  readonly waves: readonly number[];
  /** What the arbiter has before it when it writes. */
  readonly sees: string;
}

/** In a revision: `word` for those named, else the other one. */
export const saying =
  (line: string, whom: readonly string[], otherwise: string) =>
  ({ who, does }: HeardCall): string | undefined => {
    if (does !== 'revise') return undefined;
    return whom.includes(who) ? line : otherwise;
  };
