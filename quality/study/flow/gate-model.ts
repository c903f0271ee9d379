/*
 * A model of what `mode: "auto"` does with the final answers of members whose worth is known. All cases are gone through,
 * each with its odds, so that nothing is drawn. A test of the service plays the same cases on the strategy itself.
 */

/** The right answer; the others are wrong, and those who err spread over them. */
const RIGHT = 0;
const VALUES = [RIGHT, 1, 2, 3] as const;

/** A panel of one round: the arbiter's own member first, then the second drafter, then the others. */
export interface PanelOdds {
  /** Odds of each member to be right. */
  readonly accuracies: readonly number[];
  /** Odds that all give one and the same answer; else each has its own. */
  readonly correlation: number;
  /** True for an arbiter who knows what is right when it sees it; else it counts, and a tie goes to its own draft. */
  readonly knows: boolean;
}

/** Worth and price of a gate beside its whole panel. */
export interface GateFigures {
  /** Points by which the gate is less often right. */
  readonly lost: number;
  /** Calls in percent of the panel's. */
  readonly calls: number;
}

/** Odds that the first two drafts settle the matter. */
export type Gate = (first: number, second: number) => number;

/** Settles what both state. */
export const sameAnswer: Gate = (first, second) => Number(first === second);

/** Settles what passes a check on both drafts, whatever they state; a wrong draft passes with these odds. */
export function checkOnBoth(falsePass: number): Gate {
  const passes = (answer: number): number => (answer === RIGHT ? 1 : falsePass);
  return (first, second) => passes(first) * passes(second);
}

export function gateFigures(odds: PanelOdds, gate: Gate): GateFigures {
  const callsOfPanel = odds.accuracies.length + 1;
  let [lost, calls] = [0, 0];
  for (const { chance, answers } of casesOf(odds)) {
    const [first = RIGHT, second = RIGHT] = answers;
    const settled = gate(first, second);
    lost += chance * settled * (panelIsRight(answers, odds.knows) - Number(first === RIGHT));
    calls += chance * (settled * 2 + (1 - settled) * callsOfPanel);
  }
  return { lost: 100 * lost, calls: (100 * calls) / callsOfPanel };
}

/** Odds that the answer of a whole panel is right: a tie without the arbiter's own draft goes to any of those in it. */
function panelIsRight(answers: readonly number[], knows: boolean): number {
  if (knows) return Number(answers.includes(RIGHT));
  const counts = VALUES.map((value) => answers.filter((answer) => answer === value).length);
  const most = VALUES.filter((value) => counts[value] === Math.max(...counts));
  if (most.some((value) => value === answers[0])) return Number(answers[0] === RIGHT);
  return most.includes(RIGHT) ? 1 / most.length : 0;
}

interface Case {
  readonly chance: number;
  readonly answers: readonly number[];
}

function casesOf({ accuracies, correlation }: PanelOdds): Case[] {
  const [own = 0] = accuracies;
  const shared = VALUES.map((value) => ({ chance: chanceOf(value, own), answers: accuracies.map(() => value) }));
  const begin: readonly Case[] = [{ chance: 1, answers: [] }];
  const apart = accuracies.reduce(
    (cases, accuracy) =>
      cases.flatMap(({ chance, answers }) =>
        VALUES.map((value) => ({ chance: chance * chanceOf(value, accuracy), answers: [...answers, value] })),
      ),
    begin,
  );
  return [...weighed(shared, correlation), ...weighed(apart, 1 - correlation)];
}

function weighed(cases: readonly Case[], weight: number): Case[] {
  return cases.map(({ chance, answers }) => ({ chance: weight * chance, answers }));
}

function chanceOf(value: number, accuracy: number): number {
  return value === RIGHT ? accuracy : (1 - accuracy) / (VALUES.length - 1);
}
