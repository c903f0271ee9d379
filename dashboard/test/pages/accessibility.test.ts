import type { Page } from 'playwright-core';
import { type App, startApp } from '../../../functions/test/support/app';
import { ask, LOCAL_USER } from '../../../functions/test/support/dashboard';
import { PAGE_LINKS } from '../../src/shell/page-links';
import { axeViolations } from '../support/axe';
import { describeInBrowser, type OpenedPage } from '../support/browser';
import { DIST, startDashboard } from '../support/embedded';
import { startRouter } from '../support/router';
import { sidewaysScroll } from '../support/sideways-scroll';

const PATHS = PAGE_LINKS.map(({ path }) => path);
const THEMES = ['light', 'dark'] as const;
const WIDTHS = [1280, 390];
/** The narrowest window that must do, and an ordinary one at a zoom of 200 %. */
const NARROW = [320, 640];
const HEIGHT = 800;
const ACCOUNT = /\/dashboard\/(?!config\.json)/;
const REFUSAL = { error: { message: 'Too many requests: try again in 20 seconds', type: 'rate_limit_error' } };

describeInBrowser('every page, for who sees or moves otherwise', (open) => {
  const closing = new AsyncDisposableStack();
  let full: App;
  let empty: App;
  beforeAll(async () => {
    const router = closing.use(await startRouter());
    full = closing.use(await startDashboard({ env: router.env }));
    empty = closing.use(await startApp({ siteDirectory: DIST }));
    await full.complete({}, await full.newKey(LOCAL_USER, 'ci', { budgetNanoUsd: 5_000_000_000 }));
    await ask(full, { method: 'PUT', path: 'router-key', body: { key: 'sk-or-0123456789' } });
    await ask(full, { method: 'POST', path: 'router-models', body: { slugs: ['owl/eagle-1', 'fox/red'] } });
  });
  afterAll(() => closing.disposeAsync());

  const show = async ({ baseUrl }: App, path: string, prepare = async (_page: Page): Promise<unknown> => undefined) => {
    const opened = await open({ reducedMotion: 'reduce' });
    await prepare(opened.page);
    await opened.page.goto(baseUrl + path);
    await opened.page.getByRole('heading', { level: 1 }).waitFor();
    return opened;
  };
  const settled = async ({ page }: OpenedPage): Promise<void> => {
    await page.waitForLoadState('networkidle');
    await page.getByText(/^Loading /).waitFor({ state: 'detached' });
  };

  it.each(PATHS)('%s has no flaw that axe finds while it is loading', async (path) => {
    const opened = await show(full, path, (page) => page.route(ACCOUNT, () => {}));
    await opened.page
      .getByText(/^Loading /)
      .first()
      .waitFor({ state: 'attached' });
    expect(await flawsOf(opened)).toEqual([]);
  });

  it.each(PATHS)('%s has none when its data cannot be read', async (path) => {
    const reply = { status: 429, json: REFUSAL, headers: { 'x-request-id': 'req_1' } };
    const opened = await show(full, path, (page) => page.route(ACCOUNT, (route) => route.fulfill(reply)));
    await opened.page.getByRole('alert').first().waitFor();
    expect(await flawsOf(opened)).toEqual([]);
  });

  it.each(PATHS)('%s has none when there is nothing yet', async (path) => {
    const opened = await show(empty, path);
    await settled(opened);
    expect(await flawsOf(opened)).toEqual([]);
  });

  it.each(PATHS)(
    '%s has none when there is much, scrolls only downwards, and nothing on it moves by itself',
    async (path) => {
      const opened = await show(full, path, watchShifts);
      await settled(opened);
      expect(await opened.page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([]);
      expect(await flawsOf(opened)).toEqual([]);
      for (const width of NARROW) {
        await opened.page.setViewportSize({ width, height: HEIGHT });
        expect([width, await sidewaysScroll(opened.page)]).toEqual([width, 0]);
      }
    },
  );

  it.each([
    ['/keys', 'Create key'],
    ['/models', 'Add models'],
    ['/models', 'Replace'],
    ['/models', 'Delete'],
  ])('%s has none while “%s” asks', async (path, name) => {
    const opened = await show(full, path);
    await settled(opened);
    const { page } = opened;
    await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole(name === 'Delete' ? 'alertdialog' : 'dialog').waitFor();
    await settled(opened);
    expect(await flawsOf(opened)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
  });
});

/** What axe finds in both themes, on a desktop and on a phone. */
async function flawsOf(opened: OpenedPage): Promise<string[]> {
  const flaws: string[] = [];
  for (const colorScheme of THEMES) {
    for (const width of WIDTHS) {
      await opened.page.emulateMedia({ colorScheme });
      await opened.page.setViewportSize({ width, height: HEIGHT });
      const found = await axeViolations(opened);
      flaws.push(...found.map((flaw) => `${colorScheme}, ${width} px: ${flaw}`));
    }
  }
  return flaws;
}

/** Keeps what moves on the page without anybody having done anything. */
function watchShifts(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const shifts: string[] = [];
    Reflect.set(window, 'shifts', shifts);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const sources: { node?: Node }[] = Reflect.get(entry, 'sources');
        shifts.push(
          `${Reflect.get(entry, 'value')} ${sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(' | ')}`,
        );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}
