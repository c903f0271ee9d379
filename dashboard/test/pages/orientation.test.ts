import type { Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import type { App } from '../../../functions/test/support/app';
import { PAGE_LINKS } from '../../src/shell/page-links';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { toldModels } from '../support/told-models';

const QUESTION = 'Is a tomato a fruit, or\nis it, as every cook who is asked will tell you, a vegetable?';
/** Its first words, of which a tab shows at most 48 characters. */
const WORDS = 'Is a tomato a fruit, or is it, as every cook who …';
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** Where one is: the focus, the title of the tab, the place of the navigation. */
describeInBrowser('the place that somebody is at', (open) => {
  let app: App;
  beforeAll(async () => {
    const { provider } = toldModels(() => ['It is a fruit.']);
    app = await startDashboard({ clock: systemClock, provider });
  });
  afterAll(() => app.close());

  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');
  const begin = async (page: Page): Promise<void> => {
    await page.goto(`${app.baseUrl}/play`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill(QUESTION);
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/play\/[^/]+$/);
  };
  const isAtRun = (page: Page) =>
    page.waitForFunction(
      () => document.activeElement?.matches('h2') && /^Run: Is a tomato/.test(document.activeElement.textContent),
    );

  it('is the heading of the run after Run, and of one that was opened from the list, by keyboard', async () => {
    const { page } = await open();
    await begin(page);
    await isAtRun(page);
    await page.getByText('Complete', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Runs', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('row')
      .getByRole('link', { name: /Is a tomato/ })
      .focus();
    await page.keyboard.press('Enter');
    await isAtRun(page);
  });

  it('is told by the title of its tab: by the first words of a run’s prompt, elsewhere by the page', async () => {
    const { page } = await open();
    for (const { label, path } of PAGE_LINKS) {
      await page.goto(app.baseUrl + path);
      await page.getByRole('heading', { name: label, level: 1 }).waitFor();
      expect(await page.title()).toBe(`${label} · Ensemble API`);
    }
    await begin(page);
    await isAtRun(page);
    expect(await page.title()).toBe(`${WORDS} · Ensemble API`);
    for (const name of ['Runs', 'Compare', 'Study']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      expect(await page.title()).toBe(`${name} · Ensemble API`);
    }
    await page.getByRole('link', { name: 'New run' }).click();
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
    expect(await page.title()).toBe('Playground · Ensemble API');
  });

  it.each(SIZES)(
    'keeps the playground’s links where they are and the focus on them, at $width px',
    async (viewport) => {
      const { page } = await open({ viewport });
      await page.goto(`${app.baseUrl}/play`);
      await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
      const links = page.getByRole('navigation', { name: 'Playground' });
      const place = async () => ({ ...(await links.boundingBox()), scrolled: await page.evaluate(() => scrollY) });
      const before = await place();
      for (const name of ['Runs', 'Compare', 'Study', 'New run']) {
        await links.getByRole('link', { name }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: name === 'New run' ? 'Playground' : name, level: 1 }).waitFor();
        expect([name, await place()]).toEqual([name, before]);
        if (name !== 'New run') expect(await focused(page)).toBe(name);
      }
    },
  );

  it.each(PAGE_LINKS)('$label uses the width of a window of 1440 px', async ({ path, label }) => {
    const { page } = await open({ viewport: { width: 1440, height: 900 } });
    await page.goto(app.baseUrl + path);
    await page.getByRole('heading', { name: label, level: 1 }).waitFor();
    const empty = await page
      .locator('main > [class*="page"]')
      .evaluate((at) => innerWidth - at.getBoundingClientRect().right);
    expect(empty).toBeLessThan(1440 / 20);
  });
});
