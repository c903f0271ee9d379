import type { Page } from 'playwright-core';

/** Waits until a page is drawn at its size: what measures itself is told of a new width within a frame, and drawn in the next. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    await frame();
  });
}
