import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import { playFlow } from './play-flow';
import { ARBITER_NAMES, type ArbiterName, MEMBER_NAMES, type MemberName } from './readers';
import { type PanelOdds, RIGHT } from './world';

/** A cell of the tables: who plays, under which odds. */
export interface Cell {
  readonly strategy: StrategyName;
  readonly arbiter: ArbiterName;
  readonly member: MemberName;
  readonly odds: PanelOdds;
}

/** What came of it: how often the answer was right. */
export interface Measured extends Cell {
  readonly share: number;
}

/** Runs of a cell; the same panels in each of them. */
export const RUNS = 200;
export const ACCURACIES = [0.2, 0.4, 0.5, 0.6, 0.8] as const;
export const CORRELATIONS = [0, 0.25, 0.5, 0.75, 1] as const;
/** Of the tables, and where the other of the two is varied. */
export const USUAL: PanelOdds = { members: 4, accuracy: 0.6, correlation: 0, loudWhenWrong: false };

/** How often the runs of a cell end right. */
export async function measured(cell: Cell, runs = RUNS): Promise<Measured> {
  let right = 0;
  for (let run = 0; run < runs; run += 1) {
    const { answer } = await playFlow({ ...cell, seed: `flow ${run}` });
    if (answer === RIGHT) right += 1;
  }
  return { ...cell, share: right / runs };
}

/** The odds that are compared with members who stay with what they think. */
function oddsCompared(): PanelOdds[] {
  const others = CORRELATIONS.filter((correlation) => correlation !== USUAL.correlation);
  return [
    ...ACCURACIES.map((accuracy) => ({ ...USUAL, accuracy })),
    ...others.map((correlation) => ({ ...USUAL, correlation })),
  ];
}

/** All cells with steadfast members: every strategy and arbiter under all odds. */
export function steadfastCells(): Cell[] {
  return oddsCompared().flatMap((odds) =>
    STRATEGY_NAMES.flatMap((strategy) =>
      ARBITER_NAMES.map((arbiter): Cell => ({ strategy, arbiter, member: 'steadfast', odds })),
    ),
  );
}

/** All cells with members who read each other, where who is wrong is loud and the arbiter counts. */
export function readingCells(): Cell[] {
  const odds = { ...USUAL, loudWhenWrong: true };
  return STRATEGY_NAMES.flatMap((strategy) =>
    MEMBER_NAMES.map((member): Cell => ({ strategy, arbiter: 'majority', member, odds })),
  );
}
