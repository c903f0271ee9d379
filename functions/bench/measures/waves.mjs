/**
 * How many calls each wave of a strategy holds, for three participants and `rounds` rounds without an explanation; the
 * last wave is the answer. Written out from the call formulas: a run that makes other calls is not the one measured.
 */
export const WAVES_OF_THREE = {
  competitive_refinement: (rounds) => [...times(rounds, [3]), 1],
  collaborative_synthesis: (rounds) => [...times(rounds, [3]), 1],
  /** The lenses; the opinions of each round. */
  expert_panel: (rounds) => [1, ...times(rounds, [3]), 1],
  /** Two for the proposition, then one against it; both readings of the verdict at once. */
  debate_tournament: (rounds) => [2, 1, ...times(rounds - 1, [3]), 2, 1],
  /** The plan; each round a part and its review. */
  hierarchical: (rounds) => [1, ...times(rounds, [1, 1]), 1],
  chain_of_thought: (rounds) => [...times(rounds, [3]), 1],
  /** Two drafts; each round one attack and two defences. */
  red_team_blue_team: (rounds) => [2, ...times(rounds, [1, 2]), 1],
};

function times(count, waves) {
  return Array.from({ length: count }, () => waves).flat();
}
