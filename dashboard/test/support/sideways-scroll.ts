import type { Page } from 'playwright-core';

/** Number of pixels that a page can be scrolled sideways; none is expected, however narrow the window is. */
export function sidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    // What measures itself is told of a new width within a frame, and drawn anew in the next.
    await frame();
    await frame();
    await frame();
    scrollTo(10_000, 0);
    return scrollX;
  });
}
