import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EnsembleRequest } from '../../src/ensemble/run';
import { playRun, requestId, shownTo } from '../support/played-run';
import type { Script } from '../support/scripted-models';

/**
 * The figures of docs/quality.md for the gate of `mode: "auto"`: every case of what three or four members may state is
 * played on the engine, with the gate and without, and weighed by its odds.
 */

const RIGHT = '100';
const VALUES = [RIGHT, '200', '300', '400'];
const ACCURACIES = [0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];
const CORRELATIONS = [0, 0.1, 0.25, 0.5];
const MODELS = ['model-0', 'model-1', 'model-2', 'model-3'];

type Answers = readonly string[];

/** The members state their values; the arbiter, whose member is the first, counts, or knows what is right. */
const members =
  (answers: Answers, knows: boolean): Script =>
  (call) => {
    if (call.purpose === 'draft') {
      const isFirst = call.prompt.turns.at(-1)?.text.includes('"PANEL: no"');
      return { text: `${isFirst ? 'PANEL: yes\n' : ''}Answer: ${answers[MODELS.indexOf(call.providerModel)]}` };
    }
    const shown = shownTo(call).map(({ text }) => text.replace('Answer: ', ''));
    const countOf = (value: string): number => shown.filter((each) => each === value).length;
    const most = Math.max(...shown.map(countOf));
    const [own = ''] = answers;
    const counted = countOf(own) === most ? own : shown.find((value) => countOf(value) === most);
    return { text: `Answer: ${knows && shown.includes(RIGHT) ? RIGHT : counted}` };
  };

interface Ended {
  readonly right: number;
  readonly calls: number;
}

async function played(answers: Answers, knows: boolean, fields: Partial<EnsembleRequest>): Promise<Ended> {
  const { calls, answer } = await playRun({
    id: requestId(answers.join()),
    strategy: 'competitive_refinement',
    models: MODELS.slice(0, answers.length),
    arbiter: 'model-0',
    rounds: 1,
    explain: false,
    script: members(answers, knows),
    fields,
  });
  return { right: Number(answer === `Answer: ${RIGHT}`), calls: calls.length };
}

/** A case with all that came of it, by whether the arbiter knows. */
interface Case {
  readonly answers: Answers;
  readonly panel: readonly [counting: Ended, knowing: Ended];
  readonly gate: readonly [counting: Ended, knowing: Ended];
}

async function casesOf(size: number): Promise<Case[]> {
  const all = Array.from({ length: size }).reduce<Answers[]>(
    (lists) => lists.flatMap((list) => VALUES.map((value) => [...list, value])),
    [[]],
  );
  const cases: Case[] = [];
  for (const answers of all) {
    const both = async (fields: Partial<EnsembleRequest>) =>
      [await played(answers, false, fields), await played(answers, true, fields)] as const;
    cases.push({ answers, panel: await both({}), gate: await both({ auto: true }) });
  }
  return cases;
}

/** Odds of a case: all share one value, or each has its own. */
function chanceOf(answers: Answers, accuracy: number, correlation: number): number {
  const odds = (value: string): number => (value === RIGHT ? accuracy : (1 - accuracy) / 3);
  const [own = ''] = answers;
  const isShared = answers.every((value) => value === own);
  return (
    (1 - correlation) * answers.reduce((product, value) => product * odds(value), 1) +
    (isShared ? correlation * odds(own) : 0)
  );
}

/** A cell: calls in percent of the panel's, points lost beside an arbiter who counts, and beside one who knows. */
function cellOf(cases: readonly Case[], accuracy: number, correlation: number): number[] {
  const mean = (of: (each: Case) => number): number =>
    cases.reduce((sum, each) => sum + chanceOf(each.answers, accuracy, correlation) * of(each), 0);
  return [
    (100 * mean(({ gate: [{ calls }] }) => calls)) / mean(({ panel: [{ calls }] }) => calls),
    100 * mean(({ panel, gate }) => panel[0].right - gate[0].right),
    100 * mean(({ panel, gate }) => panel[1].right - gate[1].right),
  ];
}

/** The table of the documents for panels of this size, row by row, each cell with its three figures. */
function documented(size: number): number[][][] {
  const text = readFileSync(join(__dirname, '../../../docs/quality.md'), 'utf8');
  const [, table = ''] = text.split(`Of ${size} members:`);
  const rows = table.trim().split('\n\n')[0]?.split('\n').slice(2) ?? [];
  return rows.map((row) =>
    row
      .split('|')
      .slice(2, -1)
      .map((cell) => cell.split('·').map(Number)),
  );
}

it.each([3, 4])('the gate of %d members costs and loses what the documents say', async (size) => {
  const cases = await casesOf(size);
  const table = documented(size);
  expect(table).toHaveLength(ACCURACIES.length);
  for (const [row, accuracy] of ACCURACIES.entries()) {
    for (const [column, correlation] of CORRELATIONS.entries()) {
      const figures = cellOf(cases, accuracy, correlation);
      for (const [place, figure] of figures.entries()) {
        const told = table[row]?.[column]?.[place] ?? Number.NaN;
        expect(Math.abs(figure - told)).toBeLessThan(place === 0 ? 0.051 : 0.0051);
      }
      // Two who agree, the arbiter among them, cannot be outvoted.
      expect(Math.abs(figures[1] ?? 1)).toBeLessThan(0.001);
    }
  }
});

it('of four members the gate needs 56.2 % of the calls at most from an accuracy of 0.85 on, where they err together 56', () => {
  const good = documented(4).slice(ACCURACIES.indexOf(0.85));
  for (const [independent = [], ...correlated] of good) {
    expect(independent[0]).toBeLessThanOrEqual(56.2);
    expect(Math.max(...correlated.map(([calls = 100]) => calls))).toBeLessThanOrEqual(56);
  }
});
