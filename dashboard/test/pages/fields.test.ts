import { systemClock } from '../../../functions/src/lib/clock';
import type { App } from '../../../functions/test/support/app';
import { ask } from '../../../functions/test/support/dashboard';
import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { toldModels } from '../support/told-models';

describeInBrowser('fields and lists, in plain words', (open) => {
  let app: App;
  beforeAll(async () => {
    const { provider } = toldModels(() => ['It is a fruit.']);
    app = await startDashboard({ clock: systemClock, provider });
    const messages = [{ role: 'user', content: 'Is a tomato a fruit?' }];
    const body = { model: 'demo-ada', messages, ai_ensemble: { models: ['demo-ada', 'demo-curie'], rounds: 1 } };
    await ask(app, { method: 'POST', path: 'runs', body });
  });
  afterAll(() => app.close());

  it('say at the field what is wrong with a number, and the server is not asked with it', async () => {
    const opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    let asked = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/dashboard/runs')) asked += 1;
    });
    await page.goto(`${app.baseUrl}/play`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('button', { name: 'Options' }).click();
    const temperature = page.getByRole('textbox', { name: 'Temperature' });
    const run = page.getByRole('button', { name: 'Run', exact: true });
    await page.getByText(/at most \d+ calls in \d steps/).waitFor();
    const before = asked;
    await temperature.fill('7.25');
    await page.getByText('Write a number from 0 to 2.', { exact: true }).waitFor();
    expect(await temperature.getAttribute('aria-invalid')).toBe('true');
    expect(
      await temperature.evaluate((field) => field.ariaDescribedByElements?.map(({ textContent }) => textContent)),
    ).toContain('Write a number from 0 to 2.');
    expect(await run.isDisabled()).toBe(true);
    await page.getByText('Options, Temperature: Write a number from 0 to 2.').waitFor();
    await page.keyboard.press('Control+Enter');
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
    expect(asked).toBe(before);
    const planned = page.waitForResponse('**/dashboard/runs/plan');
    await temperature.fill('0.5');
    await page.getByText('Write a number from 0 to 2.', { exact: true }).waitFor({ state: 'detached' });
    expect((await planned).status()).toBe(200);
    expect(await run.isDisabled()).toBe(false);
  });

  it('offer languages in the order of their names', async () => {
    const { page } = await open();
    await page.goto(`${app.baseUrl}/play`);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Language of the answer').waitFor();
    const names = await page.getByLabel('Language of the answer').locator('option').allInnerTexts();
    expect(names[0]).toBe('The language of the prompt, not checked');
    expect(names.slice(1, 4)).toEqual(['Arabic', 'Bangla', 'Chinese']);
    expect(names.slice(1)).toEqual(names.slice(1).sort());
  });

  it.each([1440, 390])('keep the models of a run apart from its rounds, at %i px', async (width) => {
    const { page } = await open({ viewport: { width, height: 800 } });
    await page.goto(`${app.baseUrl}/play/runs`);
    const rounds = page.getByText(/Competitive refinement, 1 round/);
    await rounds.waitFor();
    expect((await rounds.allInnerTexts()).join('').split('\n')).toEqual([
      'Competitive refinement, 1 round',
      'Demo Ada, Demo Curie',
    ]);
  });
});
