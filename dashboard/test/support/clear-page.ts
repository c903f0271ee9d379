import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

const VIEWPORT = { width: 1280, height: 720 };
const TIMEOUT_MS = 30_000;

/** A page as a test has left it. */
interface UsedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** The settings that it was opened with. */
  readonly options: BrowserContextOptions;
  /** The servers that it has been at. */
  readonly origins: Set<string>;
}

/** Makes a page as it was when it was opened; false where a test has opened others beside it. Rejects where the page cannot be used any more. */
export async function clearPage({ page, context, options, origins }: UsedPage): Promise<boolean> {
  if (page.isClosed() || context.pages().length > 1) return false;
  page.removeAllListeners();
  await page.unrouteAll();
  await page.route('**', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  for (const origin of origins) await clearOrigin(page, origin);
  await page.unrouteAll();
  origins.clear();
  await page.goto('about:blank');
  await context.clearCookies();
  const { colorScheme = 'light', reducedMotion = 'no-preference', forcedColors = 'none' } = options;
  await page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors });
  await page.setViewportSize(options.viewport ?? VIEWPORT);
  page.setDefaultTimeout(TIMEOUT_MS);
  return true;
}

/** Removes what a tab keeps of a server, in an empty document of its origin: the server itself is often closed by now. */
async function clearOrigin(page: Page, origin: string): Promise<void> {
  await page.goto(origin);
  await page.evaluate(async () => {
    sessionStorage.clear();
    localStorage.clear();
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  });
}
