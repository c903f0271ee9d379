import type { Page } from 'playwright-core';

/** How many pixels a page can be scrolled sideways; none is expected, however narrow the window is. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(() => {
    scrollTo(10_000, 0);
    return scrollX;
  });
}
