import type { Page } from 'playwright-core';
import { type Clock, systemClock } from '../../../functions/src/lib/clock';
import { isLongMode } from '../../../functions/test/support/long-mode';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { toldModels } from '../support/told-models';

const MINUTE_MS = 60_000;
const RUNS_A_MINUTE = 10;
/** At length: as many as a user may have under way at a time. Else more than a browser has connections. */
const RUNS = isLongMode ? 20 : 7;
const TABS = isLongMode ? 30 : 8;

/** Each call says which question it was asked, and its draft stands still until all runs have begun. */
const models = () =>
  toldModels(({ prompt, purpose }) => {
    const number = /Question (\d+)\?/.exec(JSON.stringify(prompt))?.[1];
    if (purpose === 'answer') return [`The answer to question ${number} is `, `${number}.`];
    return purpose === 'draft' ? [`Draft ${number} `, { wait: 'all' }, 'is written.'] : ['Nothing to add.'];
  });

/** Time that goes on a minute at a word. */
function leapingClock(): Clock & { leap(): void } {
  let leaptMs = 0;
  const leap = (): void => {
    leaptMs += MINUTE_MS;
  };
  return { ...systemClock, nowMs: () => systemClock.nowMs() + leaptMs, leap };
}

/** Headless browsers show all their tabs at once: this one tells a page that it is in the background. */
function hideable(): void {
  let sight = 'visible';
  Object.defineProperty(document, 'visibilityState', { get: () => sight });
  addEventListener('sight', (event) => {
    sight = (event as CustomEvent<string>).detail;
    document.dispatchEvent(new Event('visibilitychange'));
  });
}
const turn = (page: Page, to: 'visible' | 'hidden') =>
  page.evaluate((detail) => void dispatchEvent(new CustomEvent('sight', { detail })), to);

describeInBrowser('many tabs of the playground', (open) => {
  it('run at once over the six connections of a browser, and each shows its own run', async () => {
    const told = models();
    const clock = leapingClock();
    await using app = await startDashboard({ provider: told.provider, clock });
    const { page: first, context } = await open();
    await context.addInitScript(hideable);
    const tabs: { readonly page: Page; readonly number: number; readonly address: string }[] = [];
    const newTab = async (): Promise<Page> => {
      const page = tabs.length === 0 ? first : await context.newPage();
      page.setDefaultTimeout(20_000);
      return page;
    };
    const begin = async (page: Page, number: number): Promise<void> => {
      await page.goto(`${app.baseUrl}/play`);
      await page.getByRole('textbox', { name: 'Prompt' }).fill(`Question ${number}?`);
      await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).click();
    };
    for (let number = 1; number <= RUNS; number += 1) {
      if (number === RUNS_A_MINUTE + 1) clock.leap();
      const page = await newTab();
      await begin(page, number);
      await page.waitForURL(/\/play\/[^/]+$/);
      await turn(page, 'hidden');
      tabs.push({ page, number, address: page.url() });
    }
    for (const { number, address } of tabs.slice(0, TABS - RUNS)) {
      const page = await newTab();
      await page.goto(address);
      await page.getByText(`Draft ${number}`).first().waitFor();
      await turn(page, 'hidden');
      tabs.push({ page, number, address });
    }
    told.go('all');
    for (const { page, number } of tabs) {
      await turn(page, 'visible');
      await page.getByText('Complete', { exact: true }).first().waitFor();
      const answer = page.getByRole('region', { name: 'Answer of the ensemble' }).getByRole('tabpanel');
      expect(await answer.textContent()).toContain(`The answer to question ${number} is ${number}.`);
    }
    expect(tabs).toHaveLength(TABS);
  }, 120_000);
});
