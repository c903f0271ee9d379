import { readFileSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import type { App } from '../../../functions/test/support/app';
import { ask, LOCAL_USER } from '../../../functions/test/support/dashboard';
import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { sidewaysScroll } from '../support/sideways-scroll';
import { toldModels } from '../support/told-models';

/** The user's opinion of a run, beside its answer. */
describeInBrowser('a rating', (open) => {
  let app: App;
  beforeEach(async () => {
    app = await startDashboard({ clock: systemClock, provider: toldModels(() => ['It is a berry.']).provider });
  });
  afterEach(() => app.close());

  const kept = async () => (await app.container.store.listRuns(LOCAL_USER, { max: 1 }))[0];
  const openRun = async (fields: object = {}) => {
    const opened = await open({ reducedMotion: 'reduce' });
    const messages = [{ role: 'user', content: 'Is a tomato a fruit?' }];
    const ai_ensemble = { models: ['demo-ada', 'demo-curie'] };
    await ask(app, { method: 'POST', path: 'runs', body: { model: 'demo-ada', messages, ai_ensemble, ...fields } });
    opened.page.setDefaultTimeout(20_000);
    await opened.page.goto(`${app.baseUrl}/play/${(await kept())?.runId}`);
    return opened;
  };
  const rating = (page: Page) => page.getByRole('region', { name: 'Your rating' });
  const opinion = (page: Page, name: string) => rating(page).getByRole('button', { name });
  const words = (page: Page) => rating(page).getByRole('textbox', { name: 'Comment (optional)' });
  /** Presses, and waits until the server has it. */
  const give = async (page: Page, act: () => Promise<void>): Promise<void> => {
    await Promise.all([page.waitForResponse(/\/rating$/), act()]);
  };

  it('is one click, kept with the run, changed and taken back, and goes with its file', async () => {
    const opened = await openRun();
    const { page } = opened;
    await give(page, () => opinion(page, 'Bad answer').click());
    await give(page, () => opinion(page, 'B Demo Curie').press('Space'));
    await words(page).fill(' Too short. ');
    await give(page, () => page.keyboard.press('Enter'));
    const rated = { answer: 'bad', better: 'p2', words: 'Too short.' };
    expect((await kept())?.rating).toEqual(rated);
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
    await page.reload();
    await rating(page).getByRole('button', { name: 'B Demo Curie', pressed: true }).waitFor();
    expect(await words(page).inputValue()).toBe('Too short.');
    await page.goto(`${app.baseUrl}/play/runs`);
    await page.getByRole('button', { name: /^Actions/ }).click();
    const downloading = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Save as a file' }).click();
    const path = await (await downloading).path();
    expect(JSON.parse(readFileSync(path, 'utf8')).rating).toEqual(rated);
    await page.getByRole('link', { name: 'Is a tomato a fruit?' }).click();
    await give(page, () => opinion(page, 'Good answer').click());
    await give(page, () => opinion(page, 'B Demo Curie').click());
    expect((await kept())?.rating).toEqual({ answer: 'good', words: 'Too short.' });
    await page.goto(`${app.baseUrl}/play/runs`);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('Demo Curie', 'A name without end '.repeat(9)));
    await page.locator('input[type=file]').setInputFiles(path);
    await rating(page).getByRole('button', { name: 'Bad answer', pressed: true, disabled: true }).waitFor();
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await sidewaysScroll(page)).toBe(0);
  });

  it('that could not be kept is said, and the one before stands again', async () => {
    const { page } = await openRun();
    await give(page, () => opinion(page, 'Good answer').click());
    await page.route('**/rating', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'Internal error', type: 'api_error' } } }),
    );
    await opinion(page, 'Bad answer').click();
    await page.getByText('Your rating was not saved').waitFor();
    await rating(page).getByRole('button', { name: 'Good answer', pressed: true }).waitFor();
  });

  it('is not asked for of one model alone whether another was better', async () => {
    const { page } = await openRun({ ai_ensemble: {} });
    await opinion(page, 'Good answer').waitFor();
    expect(await rating(page).getByRole('button').count()).toBe(2);
  });
});
