import { readFile } from 'node:fs/promises';
import type { Download, Page } from 'playwright-core';
import { ask, LOCAL_USER } from '../../../functions/test/support/dashboard';
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

  it('has each head over its column, where the values of it begin or end', async () => {
    const page = await openUsage();
    const edges = await page.getByRole('table', { name: /Models in all months/ }).evaluate((table) => {
      const edgeOf = (cell: Element, isNumber: boolean): number => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        const { left, right } = range.getBoundingClientRect();
        return isNumber ? right : left;
      };
      const [heads, cells] = ['thead th', 'tbody tr:first-child > *'].map((at) => [...table.querySelectorAll(at)]);
      return (heads ?? []).map((head, at) => {
        const cell = cells?.[at];
        return cell ? Math.round(edgeOf(head, at > 0) - edgeOf(cell, at > 0)) : Number.NaN;
      });
    });
    expect(edges).toHaveLength(5);
    for (const distance of edges) expect(Math.abs(distance)).toBeLessThanOrEqual(2);
  });

  it('has marks at its axis that are round and told apart, also for a few hundredths of a cent', async () => {
    await using small = await startDashboard();
    await seedUsage(small, [{ month: '2026-01', model: 'a', cents: 0.0351 }]);
    const { page } = await open();
    await page.goto(`${small.baseUrl}/usage`);
    await page.locator('rect[data-month]').first().waitFor({ state: 'attached' });
    const marks = await page.locator('svg text', { hasText: /^\$/ }).allTextContents();
    expect(marks).toEqual(['$0', '$0.0001', '$0.0002', '$0.0003', '$0.0004']);
  });

  it('shows the days of a month, as high as the table says, with what was used before days were kept', async () => {
    const page = await openUsage('?per=day');
    expect(await monthsShown(page)).toHaveLength(31);
    const rows = await rowsOf(page, /Days/);
    expect(rows).toEqual([['January 10, 2026', '9', '45,000', '22,500', '$15.30']]);
    const [bar] = await barsOf(page, '2026-01-10');
    expect(Math.abs((bar?.px ?? 0) - 1530 * (await pxPerCentOf(page)))).toBeLessThanOrEqual(PLOT_PX_OFF_MAX);
    await page.getByRole('radio', { name: /^January 10, 2026: Cost \$15\.30/ }).waitFor();
    await page.getByRole('radio', { name: '2', exact: true }).click();
    await page.locator('rect[data-month="2025-12-31"]').waitFor({ state: 'attached' });
    expect(await monthsShown(page)).toHaveLength(62);
    expect(new URL(page.url()).search).toBe('?per=day&from=2025-12&to=2026-01');
    await page.locator('rect[data-month="2025-12-10"]').hover({ force: true });
    expect(await page.locator('figcaption').textContent()).toMatch(/^December 10, 2025.*\$12\.15$/);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const lines = (await textOf(await saving)).split('\r\n');
    expect([lines[0], lines.find((line) => line.startsWith('2026-01-10'))]).toEqual([
      'day_utc,requests,prompt_tokens,completion_tokens,cost_usd,note',
      '2026-01-10,9,45000,22500,15.3,',
    ]);
  });

  it('leads from a request of the playground to its run', async () => {
    await using busy = await startDashboard();
    const body = { model: 'demo-ada', messages: [{ role: 'user', content: 'Is a tomato a fruit?' }], ai_ensemble: {} };
    await ask(busy, { method: 'POST', path: 'runs', body });
    const { page } = await open();
    await page.goto(`${busy.baseUrl}/usage?per=request`);
    await page.getByRole('table', { name: 'Requests' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Run: Is a tomato a fruit?' }).waitFor();
  });

  it('lists requests, newest first, of one key and with some words, and saves what is found', async () => {
    await using busy = await startDashboard();
    const key = await busy.newKey(LOCAL_USER, 'busy <b>key</b>');
    await busy.complete({ model: 'demo-ada' }, key);
    await busy.complete({ ai_ensemble: { strategy: 'debate_tournament' } }, key);
    await seedUsage(
      busy,
      Array.from({ length: 110 }, () => ({ month: '2026-01', model: 'old', cents: 1.49 })),
    );
    const { page } = await open();
    await page.goto(`${busy.baseUrl}/usage?per=request`);
    const rows = page.getByRole('table', { name: 'Requests' }).locator('tbody tr');
    await rows.first().waitFor();
    expect(await rows.count()).toBe(100);
    await page.getByRole('button', { name: 'Show older requests' }).click();
    await page.getByRole('button', { name: 'Show older requests' }).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(112);
    const [first = [], second = []] = await rowsOf(page, /Requests/);
    expect([first[1], first[3], first[7]]).toEqual(['busy <b>key</b>', 'Debate', 'Complete']);
    expect([second[2], second[3]]).toEqual(['Demo Ada', 'One model alone']);
    expect((await rowsOf(page, /Requests/)).at(-1)).toEqual([
      'Jan 10, 2026, 12:00:00 PM',
      'laptop',
      'Name of old',
      'chat/completions',
      '1,500',
      '$0.0149',
      '0.0 s',
      'Ended',
    ]);
    await page.getByLabel('Key').selectOption('busy <b>key</b>');
    await page.getByText('Name of old').first().waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toMatch(/^\?per=request&key=key_/);
    expect(await rows.count()).toBe(2);
    await page.getByLabel(/^Model, strategy/).fill('DEBATE');
    await page.getByText('One model alone').waitFor({ state: 'detached' });
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const lines = (await textOf(await saving)).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(
      /^2026-01-15T[\d:.]+Z,[0-9a-f]{32},key_[^,]+,busy <b>key<\/b>,chat\.completions,debate_tournament,/,
    );
    await page.getByLabel(/^Model, strategy/).fill('nothing of the kind');
    await page.getByText('There are no such requests.').waitFor();
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

  it('counts the calls of a model and the requests of a key', async () => {
    const page = await openUsage();
    await page
      .getByRole('table', { name: /Models/ })
      .getByRole('button', { name: 'Calls' })
      .waitFor();
    await page.getByRole('radio', { name: 'By key' }).click();
    await page.getByRole('table', { name: /Keys/ }).getByRole('button', { name: 'Requests' }).waitFor();
  });
});

async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8');
}

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
