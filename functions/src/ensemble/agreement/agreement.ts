/*
 * How far the participants of a run agree, measured on what they have written and never on what a model says of itself
 * (`docs/strategies.md`, Agreement). What is measured is the strategy's choice; each file here measures one thing. Imports
 * `prompting/` and `form/`; must not know calls or a strategy.
 */

/** What agreement is measured on. */
export const MEASURES = ['final_answers', 'json_values', 'ballots', 'verdicts', 'revisions'] as const;

/** How far the participants agree. Where nothing can be measured there is none. */
export interface Agreement {
  /** 0 to 1, to four decimals. */
  readonly share: number;
  readonly measuredOn: (typeof MEASURES)[number];
  /** What was counted, in one sentence for people. */
  readonly words: string;
}

/** Of all pairs among `total` things, the share that lies within one of the groups: 1 for one group, 0 where none is larger than 1. */
export function pairShare(groupSizes: readonly number[], total: number): number {
  return groupSizes.reduce((sum, size) => sum + pairsOf(size), 0) / pairsOf(total);
}

function pairsOf(count: number): number {
  return (count * (count - 1)) / 2;
}
