import type { Page } from 'playwright-core';
import { drawn } from './drawn';

/** Number of pixels that a page can be scrolled sideways; none is expected, however narrow the window is. */
export async function sidewaysScroll(page: Page): Promise<number> {
  await drawn(page);
  return page.evaluate(() => {
    scrollTo(10_000, 0);
    return scrollX;
  });
}
