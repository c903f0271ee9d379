import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { seedUsage, type Use } from '../support/usage';

/** The clock of the server stands at 2026-01-15. */
const MODELS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((letter) => `model-${letter}`);
const USES: readonly Use[] = [
  ...['2025-11', '2025-12', '2026-01'].flatMap((month, at) =>
    MODELS.map((model, index) => ({
      ...{ month, model, cents: (index + 1) * (20 + 7 * at) },
      ...{ tokens: 1_000 * (index + 1), key: index % 2 === 0 ? 'laptop' : '=ci' },
    })),
  ),
  { month: '2025-12', model: 'my-own', cents: 0, tokens: 4_000, key: 'home' },
];
const PLOT_PX_OFF_MAX = 1;

describeInBrowser('the page of the usage', (open) => {
  let app: Awaited<ReturnType<typeof startDashboard>>;
  beforeAll(async () => {
    app = await startDashboard();
    await seedUsage(app, USES);
  });
  afterAll(() => app.close());

  const openUsage = async (query = '', options = {}): Promise<Page> => {
    const { page } = await open(options);
    await page.goto(`${app.baseUrl}/usage${query}`);
    await page.locator('rect[data-month]').first().waitFor({ state: 'attached' });
    return page;
  };
  const rowsOf = (page: Page, caption: RegExp) =>
    page
      .getByRole('table', { name: caption })
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.children].map((cell) => (cell.firstChild?.textContent ?? '').trim())),
      );

  it('draws bars as high as the table of each month says', async () => {
    const page = await openUsage();
    for (const month of ['November 2025', 'January 2026, so far']) {
      await page.getByRole('radio', { name: new RegExp(`^${month}`) }).click();
      const rows = await rowsOf(page, new RegExp(`Models in ${month}`));
      expect(rows).toHaveLength(MODELS.length);
      const cents = new Map(rows.map(([name, , , , cost]) => [name, Math.round(Number(cost?.slice(1)) * 100)]));
      const ofMonth = month.startsWith('Nov') ? '2025-11' : '2026-01';
      const heights = await barsOf(page, ofMonth);
      const pxPerCent = await pxPerCentOf(page);
      const own = heights.filter(({ series }) => series !== '');
      expect(own).toHaveLength(7);
      for (const { series, px } of own) {
        expect(Math.abs(px - (cents.get(`Name of ${series}`) ?? 0) * pxPerCent)).toBeLessThanOrEqual(PLOT_PX_OFF_MAX);
      }
      const other = heights.find(({ series }) => series === '');
      const ofOther = (cents.get('Name of model-a') ?? 0) + (cents.get('Name of model-b') ?? 0);
      expect(Math.abs((other?.px ?? 0) - ofOther * pxPerCent)).toBeLessThanOrEqual(PLOT_PX_OFF_MAX);
    }
  });

  it('has the range and the view in the address, and goes back and forth', async () => {
    const page = await openUsage('?from=2025-11&to=2025-12&show=tokens&by=key');
    expect(await page.getByRole('radio', { name: 'Tokens', exact: true }).getAttribute('aria-checked')).toBe('true');
    expect(await monthsShown(page)).toEqual(['2025-11', '2025-12']);
    await page.getByRole('radio', { name: 'Requests', exact: true }).click();
    expect(new URL(page.url()).search).toBe('?from=2025-11&to=2025-12&show=requests&by=key');
    await page.getByRole('radio', { name: '12', exact: true }).click();
    await page.getByRole('radio', { name: /^January 2026/ }).waitFor();
    expect(new URL(page.url()).search).toMatch(/^\?from=\d{4}-\d\d&to=\d{4}-\d\d&show=requests&by=key$/);
    expect(await monthsShown(page)).toHaveLength(12);
    await page.goBack();
    await page.goBack();
    await page.getByRole('radio', { name: /^December 2025: Tokens/ }).waitFor();
    expect(await monthsShown(page)).toEqual(['2025-11', '2025-12']);
  });

  it('never tells a cost of nothing for what is not priced', async () => {
    const page = await openUsage();
    const [row] = (await rowsOf(page, /Models in all months/)).filter(([name]) => name === 'Name of my-own');
    expect(row).toEqual(['Name of my-own', '1', '4,000', '2,000', 'not priced']);
    await page.getByText('Not priced: Name of my-own').waitFor();
    await page.getByRole('radio', { name: 'By key' }).click();
    expect((await rowsOf(page, /Keys in all months/)).find(([name]) => name === 'home')?.[4]).toBe('not priced');
  });

  it('marks this month as unfinished, and compares it as that', async () => {
    const page = await openUsage();
    expect(await page.locator('[data-unfinished]').evaluateAll((all) => all.map((each) => each.textContent))).toEqual([
      'so far',
    ]);
    const figures = page.getByRole('region', { name: 'Figures of the month' });
    const text = await figures.textContent();
    expect(text).toContain('January 2026, so far');
    expect(text).toContain('$15.30');
    expect(text).toContain('126% of all of December 2025');
    await page.getByRole('radio', { name: /^December 2025/ }).click();
    expect(await figures.textContent()).toContain('▲ 35% more than in November 2025');
  });

  it('sorts the table by the column whose head is pressed', async () => {
    const page = await openUsage();
    const names = async () => (await rowsOf(page, /Models in all months/)).map(([name]) => name);
    expect((await names())[0]).toBe('Name of model-i');
    await page
      .getByRole('table', { name: /Models/ })
      .getByRole('button', { name: 'Model' })
      .click();
    expect((await names())[0]).toBe('Name of model-a');
  });
});

function monthsShown(page: Page): Promise<string[]> {
  return page
    .locator('rect[data-month]')
    .evaluateAll((bars) => [...new Set(bars.map((bar) => bar.getAttribute('data-month') ?? ''))]);
}

function barsOf(page: Page, month: string): Promise<{ series: string; px: number }[]> {
  return page.locator(`rect[data-month="${month}"]`).evaluateAll((bars) =>
    bars.map((bar) => ({
      series: bar.getAttribute('data-series') ?? '',
      px: bar.getBoundingClientRect().height,
    })),
  );
}

/** The height of a cent, by the words of the axis. */
async function pxPerCentOf(page: Page): Promise<number> {
  const ticks = await page
    .locator('svg text', { hasText: /^\$/ })
    .evaluateAll((all) =>
      all.map((each) => ({ dollars: Number(each.textContent?.slice(1)), px: each.getBoundingClientRect().top })),
    );
  const [lowest, highest] = [ticks.at(0), ticks.at(-1)];
  if (!lowest || !highest) throw new Error('The axis has no words');
  return (lowest.px - highest.px) / (100 * (highest.dollars - lowest.dollars));
}
