import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { playRun, requestId } from '../support/played-run';
import { textOfTokens } from '../support/text-of-tokens';

/** Costs of 1,000 answers in README.md are those of the engine, at the bundled prices. */

const ROOT = join(__dirname, '..', '..', '..');
const PAGE = readFileSync(join(ROOT, 'README.md'), 'utf8');
const ANSWERS = 1_000;
const NANO_USD = 1e9;

/** "one model" is the first of the panel alone; it is the arbiter of the ensembles too. */
const COLUMNS = [
  { panel: 1, rounds: 1 },
  { panel: 3, rounds: 1 },
  { panel: 3, rounds: 2 },
] as const;

interface Row {
  readonly models: readonly string[];
  readonly costs: readonly string[];
}

const ROWS: Row[] = [...PAGE.matchAll(/^\| ((?:`[^`]+`[ ,×3]*)+) \|((?: \$[\d.]+ \|){3})$/gm)].map(
  ([, panel = '', costs = '']) => {
    const named = [...panel.matchAll(/`([^`]+)`/g)].map(([, id = '']) => id);
    return {
      models: named.length === 1 ? Array<string>(3).fill(named[0] ?? '') : named,
      costs: costs
        .split('|')
        .map((cost) => cost.trim())
        .filter((cost) => cost !== ''),
    };
  },
);

/** The sizes that the page names, in tokens. */
const [questionTokens, answerTokens] = ['a question of', 'answers of'].map((words) =>
  Number(new RegExp(`${words} (\\d+)\\s+tokens`).exec(PAGE)?.[1]),
);

async function costOf(models: readonly string[], rounds: number): Promise<string> {
  const { ok, costNanoUsd } = await playRun({
    id: requestId(0),
    strategy: 'competitive_refinement',
    models,
    arbiter: models[0] ?? '',
    rounds,
    explain: false,
    message: textOfTokens(questionTokens ?? 0),
    script: () => ({ text: textOfTokens(answerTokens ?? 0) }),
  });
  expect(ok).toBe(true);
  return `$${((costNanoUsd / NANO_USD) * ANSWERS).toFixed(2)}`;
}

describe('what README.md says 1,000 answers cost', () => {
  it('names a panel of the default models, and others', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(3);
    expect([questionTokens, answerTokens]).toEqual([expect.any(Number), expect.any(Number)]);
  });

  it.each(ROWS)('$models', async ({ models, costs }) => {
    const measured = COLUMNS.map(({ panel, rounds }) => costOf(models.slice(0, panel), rounds));
    expect(await Promise.all(measured)).toEqual(costs);
  });
});
