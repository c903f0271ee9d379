import type { Locator, Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import type { App } from '../../../functions/test/support/app';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { toldModels } from '../support/told-models';

/** High contrast takes the grounds from a page: by these alone nothing may be told. */
describeInBrowser('a system in high contrast', (open) => {
  let app: App;
  beforeAll(async () => {
    const { provider } = toldModels(() => ['It is a fruit.']);
    app = await startDashboard({ clock: systemClock, provider });
  });
  afterAll(() => app.close());

  const outline = (at: Locator) => at.evaluate((element) => getComputedStyle(element).outlineStyle);
  const show = async (path: string): Promise<Page> => {
    const { page } = await open({ forcedColors: 'active', reducedMotion: 'reduce' });
    await page.goto(app.baseUrl + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };

  it('shows what is chosen: the page, the strategy, the mode of a switch of views', async () => {
    const page = await show('/play');
    const strategy = (name: string) => page.locator('label').filter({ hasText: name }).first();
    await strategy('Debate').click();
    expect([await outline(strategy('Debate')), await outline(strategy('Expert panel'))]).toEqual(['solid', 'none']);
    const links = page.getByRole('navigation', { name: 'Playground' });
    expect(await outline(links.getByRole('link', { name: 'New run' }))).toBe('solid');
    expect(await outline(links.getByRole('link', { name: 'Study' }))).toBe('none');
    await page.goto(`${app.baseUrl}/usage`);
    await page.getByRole('radio', { name: 'Tokens' }).click();
    expect(await outline(page.getByRole('radio', { name: 'Cost' }))).toBe('none');
    await page.getByRole('radio', { name: 'Requests' }).click();
    expect(await outline(page.getByRole('radio', { name: 'Tokens' }))).toBe('none');
    await page.getByRole('link', { name: 'Usage' }).focus();
    expect(await outline(page.getByRole('radio', { name: 'Requests' }))).toBe('solid');
  });

  it('shows the bars of the timeline, apart from their ground', async () => {
    const page = await show('/play');
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).click();
    await page.getByText('Complete', { exact: true }).first().waitFor();
    const grounds = await page
      .getByRole('figure', { name: 'Timeline of the calls' })
      .locator('[data-state="done"]')
      .evaluateAll((bars) =>
        bars.map((bar) =>
          [bar, bar.parentElement?.parentElement].map((at) => at && getComputedStyle(at).backgroundColor),
        ),
      );
    expect(grounds.length).toBeGreaterThan(2);
    for (const [bar, ground] of grounds) expect(bar).not.toBe(ground);
  });
});
