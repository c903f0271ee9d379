import { advice } from '../study/analysis/advice.ts';
import { analyse } from '../study/analysis/analyse.ts';
import { finishedRun } from './finished-runs.ts';

const tasks = Array.from({ length: 60 }, (_, index) => `t${index}`);

/** Arms that are right on so many of the tasks, the first ones, at so many thousandths of a cent. */
function study(arms: Readonly<Record<string, readonly [right: number, cost: number]>>) {
  const runs = tasks.flatMap((task, index) =>
    Object.entries(arms).map(([arm, [right, cost]]) =>
      finishedRun({ task, arm, isRight: index < right, costNanoUsd: cost * 10_000 }),
    ),
  );
  return { tasks, panel: ['a', 'b'], strategies: ['dear', 'fair'], seed: 1, runs, judgements: [] };
}

function advised(arms: Parameters<typeof study>[0]) {
  const made = study(arms);
  const found = advice(made, analyse(made));
  return found && { best: found.best.arm, cheapest: found.cheapest.arm, worse: found.worse };
}

describe('the advice', () => {
  it('is the cheapest arm that is not significantly worse than the best', () => {
    const arms = { 'single a': [20, 1], 'single b': [54, 2], fair: [55, 5], dear: [56, 20] } as const;
    expect(advised(arms)).toEqual({ best: 'dear', cheapest: 'single b', worse: ['single a'] });
  });

  it('is the dear one where all others are worse', () => {
    const arms = { 'single a': [20, 1], 'single b': [30, 2], fair: [35, 5], dear: [56, 20] } as const;
    expect(advised(arms)).toEqual({ best: 'dear', cheapest: 'dear', worse: ['single a', 'single b', 'fair'] });
  });

  it('is not given without an answer that is known to be right or wrong', () => {
    expect(advised({})).toBeUndefined();
  });
});
