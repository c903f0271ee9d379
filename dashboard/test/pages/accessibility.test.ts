import type { Page } from 'playwright-core';
import { type App, startApp } from '../../../functions/test/support/app';
import { ask, LOCAL_USER } from '../../../functions/test/support/dashboard';
import { PAGE_LINKS } from '../../src/shell/page-links';
import { axeViolationsInAllLooks as flawsOf } from '../support/axe';
import { describeInBrowser, type OpenedPage } from '../support/browser';
import { DIST, startDashboard } from '../support/embedded';
import { EMAIL, hostSession } from '../support/hosted-session';
import { startRouter } from '../support/router';
import { sidewaysScroll } from '../support/sideways-scroll';

const PLAY_PATHS = ['/play/runs', '/play/compare', '/play/study'];
const PATHS = [...PAGE_LINKS.map(({ path }) => path), ...PLAY_PATHS, '/usage?per=day', '/usage?per=request'];
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
  const settled = (page: Page): Promise<unknown> =>
    page.waitForFunction(() => !/Loading [a-z]/.test(document.body.textContent));

  /** The findings on every page, each opened by the navigation and ready as `isReady` waits for. */
  const flawsOfAll = async (opened: OpenedPage, isReady: (page: Page) => Promise<unknown>): Promise<string[]> => {
    const flaws: string[] = [];
    for (const { label } of PAGE_LINKS) {
      await opened.page.getByRole('navigation').getByRole('link', { name: label }).click();
      await opened.page.getByRole('heading', { name: label, level: 1 }).waitFor();
      await isReady(opened.page);
      flaws.push(...(await flawsOf(opened)).map((flaw) => `${label}: ${flaw}`));
    }
    return flaws;
  };

  it('has no flaw that axe finds while it is loading, and none when its data cannot be read', async () => {
    const failing = Promise.withResolvers<void>();
    const reply = { status: 429, json: REFUSAL, headers: { 'x-request-id': 'req_1', 'retry-after': '20' } };
    const opened = await show(full, '/keys', (page) =>
      page.route(ACCOUNT, async (route) => {
        await failing.promise;
        await route.fulfill(reply);
      }),
    );
    const isLoading = (page: Page) =>
      page
        .getByText(/^Loading /)
        .first()
        .waitFor({ state: 'attached' });
    expect(await flawsOfAll(opened, isLoading)).toEqual([]);
    failing.resolve();
    const hasFailed = (page: Page) => page.getByRole('alert').first().waitFor();
    expect(await flawsOfAll(opened, hasFailed)).toEqual([]);
  });

  it('has none when there is nothing yet, or no such page', async () => {
    const opened = await show(empty, '/keys');
    expect(await flawsOfAll(opened, settled)).toEqual([]);
    await opened.page.goto(`${empty.baseUrl}/nowhere`);
    expect(await flawsOf(opened)).toEqual([]);
  });

  it.each(PATHS)(
    '%s has none when there is much, scrolls only downwards, and nothing on it moves by itself',
    async (path) => {
      await using watching = new AsyncDisposableStack();
      const opened = await show(full, path, async (page) => watching.use(await watchShifts(page)));
      await settled(opened.page);
      expect(await opened.page.evaluate(() => Reflect.get(window, 'shifts'))).toEqual([]);
      expect(await flawsOf(opened)).toEqual([]);
      for (const width of NARROW) {
        await opened.page.setViewportSize({ width, height: HEIGHT });
        expect([width, await sidewaysScroll(opened.page)]).toEqual([width, 0]);
      }
    },
  );

  it('has none while a key is made, in the menu of a key, in its dialogs, and where a new key is shown', async () => {
    const opened = await show(full, '/keys');
    const { page } = opened;
    const menu = page.getByRole('button', { name: /^Actions for ci/ });
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog.waitFor();
    expect(await flawsOf(opened)).toEqual([]);
    await page.keyboard.press('Escape');
    await menu.click();
    await page.getByRole('menu').waitFor();
    expect(await flawsOf(opened)).toEqual([]);
    for (const action of ['Change', 'Rotate', 'Revoke']) {
      await page.getByRole('menuitem', { name: `${action} …` }).click();
      await dialog.waitFor();
      expect([action, ...(await flawsOf(opened))]).toEqual([action]);
      await page.keyboard.press('Escape');
      await menu.click();
    }
    await page.getByRole('menuitem', { name: 'Rotate …' }).click();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('The new key').waitFor();
    expect(await flawsOf(opened)).toEqual([]);
  });

  it('has none where nobody is signed in, at each step of it', async () => {
    const opened = await show(full, '/keys', (page) => hostSession(page, full));
    const { page } = opened;
    expect(await flawsOf(opened)).toEqual([]);
    await page.route(/accounts:sendOobCode/, (route) =>
      route.fulfill({ status: 400, json: { error: { code: 400, message: 'QUOTA_EXCEEDED' } } }),
    );
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByRole('button', { name: 'Send a link by e-mail' }).click();
    await page.getByRole('alert').waitFor();
    expect(await flawsOf(opened)).toEqual([]);
    await page.unroute(/accounts:sendOobCode/);
    await page.getByRole('button', { name: 'Send a link by e-mail' }).click();
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    expect(await flawsOf(opened)).toEqual([]);
    for (const width of NARROW) {
      await page.setViewportSize({ width, height: HEIGHT });
      expect([width, await sidewaysScroll(page)]).toEqual([width, 0]);
    }
  });
});

/** Keeps what moves on the page without anybody having done anything, until it is disposed of. */
function watchShifts(page: Page) {
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
