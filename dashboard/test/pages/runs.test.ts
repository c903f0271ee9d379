import type { Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import type { App } from '../../../functions/test/support/app';
import { ask } from '../../../functions/test/support/dashboard';
import { allAt, verdictOf } from '../../../functions/test/support/judges';
import { axeViolations } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { sidewaysScroll } from '../support/sideways-scroll';
import { toldModels } from '../support/told-models';

const PANEL = ['demo-ada', 'demo-curie'];
/** The judges' scores: the first text of those shown to them gets the most. */
const VERDICTS: Readonly<Record<string, number>> = { 'demo-blaise': 8, 'demo-dissenter': 5 };

/** The list of runs, runs as files, judges, and the comparison of set-ups. */
describeInBrowser('runs that are over', (open) => {
  let app: App;
  beforeAll(async () => {
    const { provider } = toldModels((call) => {
      const { providerModel, purpose } = call;
      if (purpose === 'judge') return [verdictOf(call, () => allAt(VERDICTS[providerModel]))];
      return purpose === 'answer' ? [`A tomato is **a berry**, says ${providerModel}.`] : ['It is a fruit.'];
    });
    app = await startDashboard({ clock: systemClock, provider });
    for (const content of ['Is a tomato a fruit?', 'Why is the sky blue? <b>1</b>']) {
      await ask(app, {
        method: 'POST',
        path: 'runs',
        body: { model: 'demo-ada', messages: [{ role: 'user', content }], ai_ensemble: { models: PANEL } },
      });
    }
  });
  afterAll(() => app.close());

  const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) });

  it('are listed and searched, shown again, saved as files and opened from them', async () => {
    const opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    await page.goto(`${app.baseUrl}/play/runs`);
    await row(page, 'Why is the sky blue\\? <b>1</b>').waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysScroll(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('searchbox', { name: 'Search in prompts' }).fill('TOMATO');
    await row(page, 'sky').waitFor({ state: 'detached' });
    await row(page, 'tomato')
      .getByRole('button', { name: /^Actions/ })
      .click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Save as a file' }).click();
    const path = await (await downloading).path();
    await page.getByRole('link', { name: 'Is a tomato a fruit?' }).click();
    await page.getByText('A tomato is a berry, says demo-ada.').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.locator('input[type=file]').setInputFiles(path);
    await page.waitForURL('**/play/file');
    await page.getByText('A tomato is a berry, says demo-ada.').waitFor();
    await page.getByRole('button', { name: 'Replay 10×' }).waitFor();
    expect(asked.filter((each) => each.startsWith('/dashboard/runs/'))).toEqual([]);
  });

  it('are judged, with what judges differ by', async () => {
    const opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    await page.goto(`${app.baseUrl}/play/runs`);
    await page.getByRole('link', { name: 'Is a tomato a fruit?' }).click();
    await page.getByRole('tab', { name: 'Evaluate' }).click();
    await page.getByRole('button', { name: 'Add judges' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add judges' });
    for (const name of ['Demo Blaise', 'Demo Dissenter']) await dialog.getByRole('option', { name }).click();
    await dialog.getByRole('button', { name: 'Add 2 models' }).click();
    await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
    const overall = page.getByRole('region', { name: 'Overall, of 10' });
    // 8 of one judge and 5 of the other.
    await overall.getByText('6.5').first().waitFor();
    await overall
      .getByText(/the judges differ by \d+%/)
      .first()
      .waitFor();
    await page.getByRole('region', { name: 'Accuracy' }).waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    await page.reload();
    await page.getByRole('tab', { name: 'Evaluate' }).click();
    await page.getByRole('button', { name: 'An earlier evaluation' }).click();
    await overall.getByText('6.5').first().waitFor();
  });

  it('are compared: the same prompt by one model alone and by a panel, and what that costs', async () => {
    const opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    await page.goto(`${app.baseUrl}/play/compare`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('button', { name: 'Run all' }).click();
    const panel = row(page, '^Competitive refinement, 4 participants');
    await panel.getByText(/^[\d.]+ ×$/).waitFor();
    expect(await row(page, '^Demo Ada alone').getByRole('cell').allInnerTexts()).toContain('1.0 ×');
    expect(await page.getByText('A tomato is a berry, says demo-ada.').count()).toBe(2);
    await page.getByRole('heading', { name: 'Which answer is best?' }).waitFor();
    expect(await axeViolations(opened)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await sidewaysScroll(page)).toBe(0);
  });

  it('stay compared, with what judges have found, after other pages and a reload', async () => {
    const { page } = await open({ reducedMotion: 'reduce' });
    await page.goto(`${app.baseUrl}/play/compare`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('group', { name: 'Set-up 2' }).getByRole('button', { name: 'Remove Demo Slow' }).click();
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByRole('button', { name: 'Add judges' }).click();
    await page.getByRole('option', { name: /Demo Curie/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
    const scores = page.getByRole('region', { name: 'Accuracy' });
    await scores.waitFor();
    const shown = async () => [await page.getByRole('table').first().textContent(), await scores.textContent()];
    const before = await shown();
    expect(before[0]).toMatch(/Competitive refinement, 3 participants.*[\d.]+ ×/s);
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    await page.goBack();
    await row(page, '^Demo Ada alone').getByText('1.0 ×').waitFor();
    expect(await shown()).toEqual(before);
    await page.reload();
    await row(page, '^Demo Ada alone').getByText('1.0 ×').waitFor();
    expect(await shown()).toEqual(before);
    expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('Is a tomato a fruit?');
    expect(await page.getByText('A tomato is a berry, says demo-ada.').count()).toBe(2);
    await page
      .getByRole('group', { name: 'Set-up 2' })
      .getByRole('button', { name: 'Remove Demo Unreliable' })
      .waitFor();
    expect(await page.getByRole('button', { name: 'Remove Demo Slow' }).count()).toBe(0);
  });

  it('are deleted, one or all, and then gone', async () => {
    const { page } = await open();
    await page.goto(`${app.baseUrl}/play/runs`);
    await row(page, 'sky')
      .getByRole('button', { name: /^Actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'Delete …' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await row(page, 'sky').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete all …' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No runs yet.').waitFor();
    const { body } = await ask<{ data: unknown[] }>(app, { path: 'runs' });
    expect(body.data).toEqual([]);
  });
});
