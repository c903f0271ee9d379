import type { ArbiterName } from '../../quality/flow/readers';
import type { PanelOdds } from '../../quality/flow/world';
import type { StrategyName } from '../../src/ensemble/strategies/strategies';

/** Who of four answers the message: half of the others plan, review or attack. */
export const ANSWERING: Readonly<Record<StrategyName, readonly number[]>> = {
  competitive_refinement: [0, 1, 2, 3],
  collaborative_synthesis: [0, 1, 2, 3],
  expert_panel: [0, 1, 2, 3],
  debate_tournament: [0, 1, 2, 3],
  chain_of_thought: [0, 1, 2, 3],
  hierarchical: [1, 2],
  red_team_blue_team: [0, 2],
};

/** As in the world that is simulated: so many ways to be wrong, equally likely. */
const WRONG = 3;

/** How likely the answer is right, worked out by counting all outcomes: 0 stands for right. */
export function expectedShare(
  strategy: StrategyName,
  arbiter: ArbiterName,
  { accuracy, correlation }: PanelOdds,
): number {
  const answering = ANSWERING[strategy].length;
  const odds = [accuracy, ...Array.from({ length: WRONG }, () => (1 - accuracy) / WRONG)];
  let share = 0;
  for (let outcome = 0; outcome < (WRONG + 1) ** answering; outcome += 1) {
    const values = Array.from({ length: answering }, (_, at) => Math.floor(outcome / (WRONG + 1) ** at) % (WRONG + 1));
    const likely = values.reduce((product, value) => product * (odds[value] ?? 0), 1);
    share += likely * chosenRight(values, arbiter, strategy === 'chain_of_thought');
  }
  // Where all share one belief, whoever is chosen says the same.
  return correlation * accuracy + (1 - correlation) * share;
}

/** How likely a right text is chosen of these; texts are shown in random order, chains in groups by their answer. */
function chosenRight(values: readonly number[], arbiter: ArbiterName, isGrouped: boolean): number {
  const timesOf = (value: number): number => values.filter((other) => other === value).length;
  const right = timesOf(0);
  if (arbiter === 'oracle') return right > 0 ? 1 : 0;
  if (arbiter === 'longest') return right / values.length;
  if (arbiter === 'first') return isGrouped ? (right > 0 ? 1 : 0) / new Set(values).size : right / values.length;
  const most = Math.max(...values.map(timesOf));
  const tied = [...new Set(values)].filter((value) => timesOf(value) === most);
  if (!tied.includes(0)) return 0;
  // Of several that are as frequent the one whose first text stands first, which is each as likely as the others.
  return 1 / tied.length;
}
