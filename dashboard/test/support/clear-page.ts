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

/** Makes a page as it was when it was opened; false where a test has opened others beside it. */
export async function clearPage({ page, context, options, origins }: UsedPage): Promise<boolean> {
  if (page.isClosed() || context.pages().length > 1) return false;
  page.removeAllListeners();
  await page.unrouteAll();
  for (const origin of origins) await clearOrigin(page, origin);
  origins.clear();
  await page.goto('about:blank');
  await context.clearCookies();
  const { colorScheme = 'light', reducedMotion = 'no-preference', forcedColors = 'none' } = options;
  await page.emulateMedia({ media: null, colorScheme, reducedMotion, forcedColors });
  await page.setViewportSize(options.viewport ?? VIEWPORT);
  page.setDefaultTimeout(TIMEOUT_MS);
  return true;
}

/** Removes what a tab keeps of a server, in a document without scripts; a server that is closed is not met again. */
async function clearOrigin(page: Page, origin: string): Promise<void> {
  const response = await page.goto(`${origin}/icon.svg`).catch(() => null);
  if (!response?.ok()) return;
  await page.evaluate(async () => {
    sessionStorage.clear();
    localStorage.clear();
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  });
}
