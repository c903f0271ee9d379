import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { cookieOf } from '../../../functions/test/support/dashboard';
import { describeWhere } from '../../../functions/test/support/describe-where';
import { clearPage } from './clear-page';

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

/** A page with the settings that it was opened with: a later test with the same ones gets it again, at a quarter of the cost. */
interface KeptPage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly options: BrowserContextOptions;
  readonly origins: Set<string>;
}

/** A suite with a real browser, which is closed at its end. Every page of it must be without flaws when its test is over. */
export function describeInBrowser(name: string, suite: (open: OpenPage) => void): void {
  describeWhere(name, MISSING, () => {
    let browser: Browser;
    const opened: (KeptPage & OpenedPage)[] = [];
    const free: KeptPage[] = [];
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: PATH ?? '', args: ['--no-sandbox'] });
    });
    afterAll(() => browser.close());
    afterEach(async () => {
      const over = opened.splice(0);
      const flaws = over.flatMap((page) => page.flaws);
      await Promise.all(
        over.map(async (kept) => {
          const cleared = await clearPage(kept).catch(() => false);
          return cleared ? free.push(kept) : kept.context.close();
        }),
      );
      expect(flaws).toEqual([]);
    });
    suite(async (options = {}) => {
      const at = free.findIndex((kept) => JSON.stringify(kept.options) === JSON.stringify(options));
      const [kept = await newPage(browser, options)] = at < 0 ? [] : free.splice(at, 1);
      opened.push({ ...kept, flaws: flawsOf(kept) });
      return opened.at(-1) as OpenedPage;
    });
  });
}

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<KeptPage> {
  const context = await browser.newContext({ locale: 'en-US', timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  const origins = new Set<string>();
  const goTo = page.goto.bind(page);
  // As of a browser that has opened the link of each server of a machine.
  page.goto = async (url, settings) => {
    const { origin } = new URL(url);
    if (url.startsWith('http')) {
      origins.add(origin);
      await context.addCookies([{ ...cookieOf({ baseUrl: url }), url: origin, sameSite: 'Strict', httpOnly: true }]);
    }
    return goTo(url, settings);
  };
  return { context, page, options, origins };
}

/** What goes wrong on a page from now on. */
function flawsOf({ page }: KeptPage): readonly string[] {
  const flaws: string[] = [];
  page.on('pageerror', (error) => flaws.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|Trusted/i.test(message.text()))
      flaws.push(message.text());
  });
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') flaws.push(`request to ${hostname}`);
  });
  return flaws;
}
