import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { cookieOf } from '../../../functions/test/support/dashboard';
import { describeWhere } from '../../../functions/test/support/describe-where';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const PATH = process.env['CHROMIUM_PATH'] ?? PLACES.find((place) => existsSync(place));
const MISSING = PATH === undefined ? 'it needs Chromium: set CHROMIUM_PATH' : undefined;

/** Opens pages as users with these settings would see them. */
export type OpenPage = (options?: BrowserContextOptions) => Promise<OpenedPage>;

/** A page, and what went wrong on it without being seen. */
export interface OpenedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of scripts, requests to other origins, and violations of the content security policy; none is expected. */
  readonly flaws: readonly string[];
}

/** A suite with a real browser, which is closed at its end. Every page of it must be without flaws when its test is over. */
export function describeInBrowser(name: string, suite: (open: OpenPage) => void): void {
  describeWhere(name, MISSING, () => {
    let browser: Browser;
    const opened: OpenedPage[] = [];
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: PATH ?? '', args: ['--no-sandbox'] });
    });
    afterAll(() => browser.close());
    afterEach(async () => {
      const closing = opened.splice(0);
      await Promise.all(closing.map(({ context }) => context.close()));
      expect(closing.flatMap(({ flaws }) => flaws)).toEqual([]);
    });
    suite(async (options) => {
      const page = await openPage(browser, options);
      opened.push(page);
      return page;
    });
  });
}

async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<OpenedPage> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
  const flaws: string[] = [];
  const page = await context.newPage();
  const goTo = page.goto.bind(page);
  // As of a browser that has opened the link of each server of a machine.
  page.goto = async (url, settings) => {
    await context.addCookies([
      { ...cookieOf({ baseUrl: url }), url: new URL(url).origin, sameSite: 'Strict', httpOnly: true },
    ]);
    return goTo(url, settings);
  };
  page.on('pageerror', (error) => flaws.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Trusted/i.test(message.text()))
      flaws.push(message.text());
  });
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') flaws.push(`request to ${hostname}`);
  });
  return { context, page, flaws };
}
