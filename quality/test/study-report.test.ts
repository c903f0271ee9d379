import { analyse } from '../study/analysis/analyse.ts';
import { htmlReport } from '../study/report/html.ts';
import { markdownReport } from '../study/report/markdown.ts';
import { finishedRun } from './support.ts';

const tasks = Array.from({ length: 12 }, (_, index) => `t${index}`);
const runs = tasks.flatMap((task, index) => [
  finishedRun({ task, arm: 'single a|<b>', isRight: true, costNanoUsd: 2_000_000, firstTextMs: 100 * (index + 1) }),
  finishedRun({ task, arm: 'samples a|<b>', sample: 1, isRight: true, durationMs: 900 }),
  finishedRun({ task, arm: 'harms', isRight: index === 0, hasForm: index < 9, falseFacts: index % 3, calls: 4 }),
  finishedRun({ task, arm: 'helpless', isRight: false, fault: 'Time limit reached', firstTextMs: null }),
]);
const analysis = analyse({ tasks, panel: ['a|<b>'], strategies: ['harms', 'helpless'], seed: 1, runs, judgements: [] });
const report = { analysis, about: ['12 tasks'], warnings: ['Stopped at the cap of $1.00: 48 of 96 runs.'] };

describe('the report', () => {
  const markdown = markdownReport(report);
  const rowOf = (arm: string) =>
    (markdown.split('\n').find((line) => line.startsWith(`| ${arm}`)) ?? '')
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim());

  it('has the columns of the table, and each figure in its own', () => {
    expect(rowOf('arm').slice(1, -1)).toEqual([
      ...['arm', 'correct % [95 %]', 'Δ best single [95 %]', 'Δ equal spend [95 %]', 'form %'],
      ...['false facts per answer', '$ per correct', 'p50/p95 first text', 'calls'],
    ]);
    // 12 of 12; the mean of 0.2 cents over 12 right answers; the sixth and the last of 100 … 1,200 ms.
    const single = rowOf('single');
    expect(single[1]).toBe('single a\\|<b>');
    expect(single[2]).toMatch(/^100\.0 \[73\.5, 100\.0\]$/);
    expect(single.slice(3, -1)).toEqual([
      // It is the best single model itself.
      '–',
      '–',
      '100.0',
      '0.00',
      '$0.00200',
      '0.60 s/1.20 s',
      '1.0',
    ]);
    // One right of twelve, all of 0.1 cents: 1.2 cents for it.
    expect(rowOf('harms').slice(5, -1)).toEqual(['75.0', '1.00', '$0.0120', '0.10 s/0.10 s', '4.0']);
    expect(rowOf('helpless').slice(7, -1)).toEqual(['none correct', '–', '1.0']);
    expect(rowOf('best single')[8]).toBe('0.90 s/0.90 s');
  });

  it('prints a loss as plainly as a win', () => {
    expect(rowOf('harms')[3]).toMatch(/^−91\.7 \[.+\] loses$/);
    expect(markdown).toContain('Loses to the best single model: harms, helpless.');
    expect(markdown).toContain('Without an answer, which counts as wrong: helpless: 12 of 12.');
    expect(markdown).toContain('**Stopped at the cap of $1.00: 48 of 96 runs.**');
  });

  it('is a page that loads and runs nothing, with plots, whatever the models are called', () => {
    const page = htmlReport(report);
    expect(page).not.toMatch(/<script|<link|<img|https?:|url\(|<b>/);
    expect(page).toContain('single a|&lt;b&gt;');
    expect(page).toContain('prefers-color-scheme: dark');
    expect(page.match(/<svg /g)).toHaveLength(2);
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
    expect(page).toContain('harms: −91.7 [');
  });
});
