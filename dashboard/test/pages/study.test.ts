import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LastStudy } from '../../../functions/src/api/shared/last-study';
import { temporaryDirectory } from '../../../functions/test/support/temporary-directory';
import { axeViolations } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { sidewaysScroll } from '../support/sideways-scroll';

const FIGURES = {
  ...{ answers: 135, form: 0.98, falseFactsPerAnswer: 0.125, firstTextMs: { p50: 420, p95: 1_800 } },
} as const;

const STUDY: LastStudy = {
  finishedAt: '2026-11-20T10:00:00.000Z',
  about: ['45 tasks, 3 repeats', 'Panel: ada, blaise'],
  warnings: ['Stopped at its cap: not all tasks were answered.'],
  findings: ['Loses to the best single model: expert_panel.'],
  arms: [
    {
      ...{ arm: 'single ada', kind: 'single', ...FIGURES, correct: { mean: 0.6, low: 0.5, high: 0.7 } },
      ...{ overBestSingle: null, overEqualSpend: null, usdPerCorrect: 0.002, callsPerAnswer: 1 },
    },
    {
      ...{ arm: 'expert_panel', kind: 'strategy', ...FIGURES, correct: { mean: 0.5, low: 0.4, high: 0.6 } },
      overBestSingle: { mean: -0.1, low: -0.15, high: -0.05, verdict: 'loses' },
      overEqualSpend: { mean: -0.02, low: -0.1, high: 0.06, verdict: 'no difference shown' },
      ...{ usdPerCorrect: null, callsPerAnswer: 4, keptFacts: { mean: 0.967, low: 0.83, high: 0.99 } },
    },
  ],
  openArms: [
    {
      ...{ arm: 'debate_tournament', comparisons: 90, flips: 0.1, lengthRatio: 1.25 },
      preferred: { mean: 0.62, low: 0.55, high: 0.69, verdict: 'wins' },
      preferredAtEqualLength: { mean: 0.5, low: 0.4, high: 0.6, verdict: 'no difference shown' },
      ...{ usdPerAnswer: 0.02, callsPerAnswer: 6 },
    },
  ],
  advice: { arm: 'single ada', reasons: ['Nothing was better.'], settings: { model: 'ada' } },
};

describeInBrowser('the last study', (open) => {
  it('is shown with its losses and its advice, and where there is none, how one is made', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory.path, 'study.json');
    await using app = await startDashboard({ env: { STUDY_FILE: file } });
    const opened = await open();
    const { page } = opened;
    await page.goto(`${app.baseUrl}/play/study`);
    await page.getByText('No study has been made here yet.').waitFor();
    expect(await page.getByText('npm run quality -- --panel').count()).toBe(1);
    await writeFile(file, JSON.stringify(STUDY));
    await page.reload();
    await page.getByText('Loses to the best single model: expert_panel.').waitFor();
    const cells = await page.getByRole('row').filter({ hasText: 'expert_panel' }).getByRole('cell').allInnerTexts();
    expect(cells).toEqual([
      '50.0% [40, 60]',
      '−10.0 [−15.0, −5.0] loses',
      '−2.0 [−10.0, +6.0] no difference shown',
      '98%',
      '0.13',
      // Of facts that one member alone had.
      '97%',
      'not priced',
      '0.42 / 1.80 s',
      '4.0',
    ]);
    const judged = page.getByRole('row').filter({ hasText: 'debate_tournament' }).getByRole('cell');
    expect(await judged.allInnerTexts()).toEqual([
      '62.0% [55, 69], wins',
      '50.0% [40, 60], no difference shown',
      ...['10%', '1.25 ×', '$0.02', '6.0'],
    ]);
    await page.getByText('Stopped at its cap: not all tasks were answered.').waitFor();
    await page.getByRole('region', { name: 'What to use' }).getByText('"model": "ada"').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    for (const width of [1_280, 1_000, 360]) {
      await page.setViewportSize({ width, height: 740 });
      expect([width, await sidewaysScroll(page)]).toEqual([width, 0]);
    }
    await directory.remove();
  });
});
