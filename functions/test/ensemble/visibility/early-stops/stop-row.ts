import type { StrategyProof } from '../setup';
import type { HeardCall } from '../wave-models';

/** A run that ends early, or one that lacks very little to. */
export interface StopRow {
  readonly rule: string;
  readonly proof: StrategyProof;
  readonly n: number;
  readonly rounds: number;
  /** End of a text of `who` in a round, or the whole of a review or an attack; undefined: as in the proof. */
  readonly ends: (heard: HeardCall) => string | undefined;
  readonly silent?: readonly string[];
  /** Calls in each wave. */
  readonly waves: readonly number[];
  /** Texts before the arbiter when it writes. */
  readonly sees: string;
}

/** Fields of a row beside its strategy. */
type Stop = Omit<StopRow, 'proof' | 'n'> & Partial<Pick<StopRow, 'n'>>;

/** The rows of one strategy, with `n` participants unless a row says otherwise. */
export function stopsOf(proof: StrategyProof, n: number, rows: readonly Stop[]): StopRow[] {
  return rows.map((row) => ({ proof, n, ...row }));
}

/** In a revision: `line` for those named, by default everybody, else the other one. */
export const saying =
  (line: string, whom?: readonly string[], otherwise = '') =>
  ({ who, does }: HeardCall): string | undefined => {
    if (does !== 'revise') return undefined;
    return whom?.includes(who) === false ? otherwise : line;
  };
