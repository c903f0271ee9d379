import type { Page } from 'playwright-core';

/** Begins to add up what moves on a page without anybody having done anything. */
export function watchShifts(page: Page): Promise<void> {
  return page.evaluate(() => {
    const shifts: { readonly value: number; readonly what: string }[] = [];
    Reflect.set(window, 'shifts', shifts);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (Reflect.get(entry, 'hadRecentInput')) continue;
        const sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[] = Reflect.get(entry, 'sources');
        const placeOf = ({ x, y, width, height }: DOMRect) => [x, y, width, height].map(Math.round).join(' ');
        const what = sources
          .map(({ node, previousRect, currentRect }) =>
            [node?.nodeName, node?.textContent?.slice(0, 40), placeOf(previousRect), placeOf(currentRect)].join(', '),
          )
          .join(' | ');
        shifts.push({ value: Reflect.get(entry, 'value'), what });
      }
    }).observe({ type: 'layout-shift' });
  });
}

/** The sum so far, and what moved most. */
export async function shiftsOf(page: Page): Promise<{ readonly sum: number; readonly most: readonly string[] }> {
  const shifts = await page.evaluate((): { value: number; what: string }[] => Reflect.get(window, 'shifts'));
  const sorted = shifts.toSorted((one, other) => other.value - one.value).slice(0, 5);
  return {
    sum: shifts.reduce((sum, { value }) => sum + value, 0),
    most: sorted.map(({ value, what }) => `${value.toFixed(4)} ${what}`),
  };
}
