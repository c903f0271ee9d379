import type { BrowserContext } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import { type App, DASHBOARD_SECRET } from '../../../functions/test/support/app';
import { cookieOf } from '../../../functions/test/support/dashboard';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { toldModels } from '../support/told-models';

const OLD = DASHBOARD_SECRET.replace('a', 'b');
const ANSWER = 'A tomato is a berry, and so a fruit.';

/** Opens an address as a browser does that was here never before, or with what it has of another server. */
async function visit(context: BrowserContext, { baseUrl }: App, address: string) {
  const page = await context.newPage();
  await page.goto(baseUrl + address);
  return page;
}

describeInBrowser('the link that opens the dashboard of one machine', (open) => {
  const link = `/play?token=${DASHBOARD_SECRET}`;

  it('signs a browser in, and is then in no address: runs are made, streamed and kept', async () => {
    await using app = await startDashboard({ provider: toldModels(() => [ANSWER]).provider, clock: systemClock });
    const { context, flaws } = await open();
    const page = await visit(context, app, link);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url(), request.headers()['referer'] ?? ''));
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
    expect(page.url()).toBe(`${app.baseUrl}/play`);
    expect(await page.evaluate(() => [document.cookie, document.referrer])).toEqual(['', '']);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/play\/\w+$/);
    await page.reload();
    await page.getByRole('region', { name: 'Answer' }).getByText(ANSWER).waitFor();
    await page.goBack();
    expect(new URL(page.url()).pathname).toBe('/play');
    expect(asked.join(' ')).not.toContain(DASHBOARD_SECRET);
    expect(app.logLines.join('')).not.toContain(DASHBOARD_SECRET);
    expect(flaws).toEqual([]);
  });

  it.each([
    ['no link', '/keys'],
    ['the link of an earlier start', `/keys?token=${OLD}`],
  ])('is what a page asks for that was opened with %s, once, with nothing to sign in with', async (_, address) => {
    await using app = await startDashboard();
    const { context } = await open();
    await context.addCookies([{ ...cookieOf(app), value: OLD, url: app.baseUrl, sameSite: 'Strict' }]);
    const page = await visit(context, app, address);
    const replies: number[] = [];
    page.on('response', (response) => replies.push(response.status()));
    const alert = page.getByRole('alert');
    expect(await alert.textContent()).toMatch(/link that npm start printed.*A link of an earlier start is out of date/);
    expect(page.url()).toBe(`${app.baseUrl}/keys`);
    expect(await page.locator('input, button, nav').count()).toBe(0);
    const refusedCount = replies.filter((status) => status === 401).length;
    await page.goto(app.baseUrl + link);
    await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
    expect(refusedCount).toBeLessThan(5);
  });
});
