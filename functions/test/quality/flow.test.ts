import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCURACIES, CORRELATIONS, measured, RUNS, USUAL } from '../../quality/flow/flow-grid';
import { playFlow } from '../../quality/flow/play-flow';
import { ARBITER_NAMES, type ArbiterName, MEMBER_NAMES } from '../../quality/flow/readers';
import { beliefsOf, RIGHT } from '../../quality/flow/world';
import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import { isLongMode } from '../support/long-mode';
import { ANSWERING, expectedShare } from './flow-formulas';

/**
 * What strategies make of right and wrong members, on the engine itself. Whether a run is right follows from what its members
 * believe, so it is held run by run; shares are held to what counting all outcomes gives.
 */

const PANELS = isLongMode ? 300 : 25;
const panels = Array.from({ length: PANELS }, (_, index) => `panel ${index}`);
const page = readFileSync(join(__dirname, '../../../docs/quality.md'), 'utf8');
/** A share of 200 runs that is right by chance more than so many standard deviations off is none. */
const DEVIATIONS = 4;

describe.each(STRATEGY_NAMES)('%s', (strategy) => {
  it('shows an arbiter who knows what is right all that its members have said: none of it is lost', async () => {
    for (const seed of panels) {
      const { beliefs, answer, candidates } = await playFlow({
        ...{ strategy, seed, arbiter: 'oracle', member: 'steadfast', odds: { ...USUAL, accuracy: 0.4 } },
      });
      const said = ANSWERING[strategy].map((seat) => beliefs[seat]?.value);
      expect([seed, candidates.toSorted()]).toEqual([seed, said.toSorted()]);
      expect([seed, answer === RIGHT]).toEqual([seed, said.includes(RIGHT)]);
    }
  });

  it('answers what somebody has said, right wherever a candidate is, however members react to each other', async () => {
    for (const [index, seed] of panels.entries()) {
      const member = MEMBER_NAMES[index % MEMBER_NAMES.length] ?? 'steadfast';
      const odds = { ...USUAL, accuracy: 0.3, loudWhenWrong: true };
      const { answer, candidates } = await playFlow({ strategy, seed, arbiter: 'oracle', member, odds });
      expect([seed, member, candidates.includes(answer)]).toEqual([seed, member, true]);
      expect([seed, member, answer === RIGHT]).toEqual([seed, member, candidates.includes(RIGHT)]);
    }
  });
});

describe('the tables of docs/quality.md', () => {
  it.each(STRATEGY_NAMES)('are for %s what counting all outcomes gives', (strategy) => {
    const flaws = [
      ...ARBITER_NAMES.map((arbiter) => flaw(strategy, { arbiter, table: 'Arbiters', column: arbiter, odds: USUAL })),
      ...CORRELATIONS.map((correlation) =>
        flaw(strategy, {
          ...{ arbiter: 'majority', table: 'Members that are wrong together' },
          ...{ column: String(correlation), odds: { ...USUAL, correlation } },
        }),
      ),
    ];
    expect(flaws.filter((found) => found !== '')).toEqual([]);
  });

  it('are what the command makes', async () => {
    const cell = { arbiter: 'majority', member: 'steadfast', odds: USUAL } as const;
    const strategies = isLongMode ? STRATEGY_NAMES : (['debate_tournament', 'chain_of_thought'] as const);
    for (const strategy of strategies) {
      const { share } = await measured({ ...cell, strategy });
      expect([strategy, (100 * share).toFixed(1)]).toEqual([strategy, shown('Arbiters', strategy, 'majority')]);
    }
  });
});

describe('panels', () => {
  it('are right as often, and together as often, as their odds say', () => {
    for (const accuracy of ACCURACIES) {
      for (const correlation of CORRELATIONS) {
        const odds = { ...USUAL, members: 2, accuracy, correlation };
        const pairs = Array.from({ length: 4_000 }, (_, index) => beliefsOf(`pair ${index}`, odds));
        const share = (isSo: (index: number) => boolean) =>
          pairs.filter((_, index) => isSo(index)).length / pairs.length;
        const isRight = (seat: number) => (index: number) => pairs[index]?.[seat]?.value === RIGHT;
        const both = share((index) => isRight(0)(index) && isRight(1)(index));
        expect(Math.abs(share(isRight(0)) - accuracy)).toBeLessThan(0.04);
        expect(Math.abs(both - (accuracy ** 2 + correlation * accuracy * (1 - accuracy)))).toBeLessThan(0.04);
      }
    }
  });
});

interface Place {
  readonly arbiter: ArbiterName;
  /** How the heading of the table begins. */
  readonly table: string;
  readonly column: string;
  readonly odds: typeof USUAL;
}

/** What is wrong with a figure of the page; empty where nothing is. */
function flaw(strategy: StrategyName, { arbiter, table, column, odds }: Place): string {
  const figure = Number(shown(table, strategy, column)) / 100;
  const expected = expectedShare(strategy, arbiter, odds);
  const allowed = DEVIATIONS * Math.sqrt((expected * (1 - expected)) / RUNS);
  const isFine = Math.abs(figure - expected) <= allowed;
  return isFine ? '' : `${table}, ${column}: ${figure}, and ${expected.toFixed(3)} is expected`;
}

/** The figure of a table on the page, as it stands there. */
function shown(heading: string, strategy: StrategyName, column: string): string | undefined {
  const [head = '', , ...rows] = page
    .slice(page.indexOf(`\n### ${heading}`))
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const cells = (line: string): string[] => line.split('|').map((cell) => cell.trim());
  const row = rows.find((line) => line.startsWith(`| \`${strategy}\``)) ?? '';
  return cells(row)[cells(head).indexOf(column)];
}
