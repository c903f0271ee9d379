import type { Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { type Saying, toldModels } from '../support/told-models';

/** The lines that a screen reader must find, from top to bottom; what lies between is left open. */
const BEFORE = [
  '- heading "Playground" [level=1]',
  '- region "Set up a run":',
  '- textbox "Prompt":',
  '- radiogroup "Strategy":',
  '- radio "Competitive refinement" [checked]',
  '- group "Participants":',
  '- button "Remove Demo Unreliable"',
  '- button "Add"',
  '- group "Arbiter, who writes the answer":',
  '- group "Rounds, at most":',
  '- button "Options"',
  '- button "Run"',
];
const DURING = [
  '- region "What was asked":',
  `- 'heading "Run: Is a tomato a fruit?" [level=2]'`,
  '- term: Cost',
  '- button "Stop"',
  '- navigation "Parts of the run":',
  '- button "Answer"',
  '- button "Demo Slow"',
  '- article "A, Demo Ada":',
  '- button "Demo Ada" [expanded]',
  '- button "Show A alone"',
  '- article "B, Demo Slow":',
  '- region "Text of B, Demo Slow":',
  '- article "C, Demo Unreliable":',
  '- text: "Failed: not found"',
  '- paragraph: The others go on without it.',
  '- figure "Timeline of the calls":',
];
const AFTER = [
  '- button "Change and run again"',
  '- button "Replay 10×"',
  '- navigation "Parts of the run":',
  '- region "Answer of the ensemble":',
  '- heading "Answer by Demo Ada" [level=2]',
  '- tab "Answer" [selected]',
  '- tabpanel "Answer":',
  '- button "Copy Markdown"',
  '- heading "Drafts" [level=2]',
  '- article "A, Demo Ada":',
  '- button "Demo Ada"',
  '- article "C, Demo Unreliable":',
];
const OPENED = [
  '- article "A, Demo Ada":',
  '- button "Demo Ada" [expanded]',
  '- group "What Demo Ada wrote":',
  '- button "2 · Revision" [pressed]',
  '- button "Show changes"',
  '- paragraph: The answer was made from 3 of 4 participants.',
  '- figure "Timeline of the calls":',
];
const RUNS = [
  '- heading "Runs" [level=1]',
  '- searchbox "Search in prompts"',
  '- table "Runs":',
  '- columnheader "Status"',
  '- rowheader "Is a tomato a fruit?":',
  '- button "Actions for Is a tomato a fruit?"',
];
const NAMELESS = /^\s*- (button|link|textbox|searchbox|radio|checkbox|tab|combobox|switch|slider|dialog)( \[|:|$)/;
const WORDS = 200;

/** Those of the lines that the tree of the page does not hold, in this order, and what in it has no name. */
async function lacking(page: Page, lines: readonly string[]): Promise<readonly string[]> {
  const tree = (await page.locator('main').ariaSnapshot()).split('\n');
  let at = 0;
  const missing = lines.filter((line) => {
    const found = tree.findIndex((one, place) => place >= at && one.trim() === line);
    if (found >= 0) at = found + 1;
    return found < 0;
  });
  return [...missing, ...tree.filter((line) => NAMELESS.test(line))];
}

/** Notes everything that is announced. */
function listen(): void {
  const said: string[] = [];
  Object.assign(globalThis, { said });
  const hear = (): void => {
    for (const { textContent } of document.querySelectorAll('[aria-live], [role=status], [role=alert]'))
      if (textContent && !said.includes(textContent)) said.push(textContent);
  };
  new MutationObserver(hear).observe(document.body, { subtree: true, childList: true, characterData: true });
}

const SAYINGS: Record<string, Saying> = {
  'demo-slow': ['Slow ', { wait: 'slow' }, 'and done.'],
  'demo-unreliable': [{ fault: 'not_found' }],
};

describeInBrowser('the playground for a screen reader', (open) => {
  it('has a name for everything, in order, before, during and after a run, and announces steps, not words', async () => {
    const answer = ['It is ', ...Array.from({ length: WORDS }, (_, at) => `word${at} `)];
    const models = toldModels(({ providerModel, purpose }) =>
      purpose === 'answer' ? answer : (SAYINGS[providerModel] ?? ['A fruit.']),
    );
    await using app = await startDashboard({ provider: models.provider, clock: systemClock });
    const { page } = await open();
    page.setDefaultTimeout(20_000);
    await page.goto(`${app.baseUrl}/play`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    expect(await lacking(page, BEFORE)).toEqual([]);
    await page.evaluate(listen);
    await page.keyboard.press('Control+Enter');
    await page.getByText('The others go on without it.').waitFor();
    expect(await lacking(page, DURING)).toEqual([]);
    models.go('slow');
    await page.getByText('Complete', { exact: true }).first().waitFor();
    expect(await lacking(page, AFTER)).toEqual([]);
    await page.getByRole('button', { name: 'Open all' }).click();
    expect(await lacking(page, OPENED)).toEqual([]);
    await page.waitForFunction(() => Reflect.get(globalThis, 'said').join().includes('The run is complete'));
    const said: readonly string[] = await page.evaluate(() => Reflect.get(globalThis, 'said'));
    expect(said.length).toBeLessThan(10);
    expect(said.join()).not.toContain('word1 ');
    await page.getByRole('link', { name: 'Runs' }).click();
    await page.getByRole('table').waitFor();
    expect(await lacking(page, RUNS)).toEqual([]);
  });
});
