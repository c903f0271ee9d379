import type { Page } from 'playwright-core';

/** The text of what has the focus, as soon as anything has it: a dialog that closes gives it back in the next frame. */
export async function focusReturned(page: Page): Promise<string | null | undefined> {
  await page.locator(':focus').waitFor({ state: 'attached' });
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
}
