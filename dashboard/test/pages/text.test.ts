import type { Locator, Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { RICH_TEXT } from '../support/rich-text';
import { sidewaysScroll } from '../support/sideways-scroll';
import { type Saying, toldModels } from '../support/told-models';

const WHERE = RICH_TEXT.indexOf('And one that');
const HOSTILE_FORMULAS = [
  '\\(\\href{javascript:alert(1)}{click}\\)',
  '\\(\\includegraphics{https://evil.example/pixel.png}\\)',
  '\\(\\htmlStyle{position: fixed; inset: 0}{x}\\)',
  '\\[\\hspace{-9000em}\\rule{9000em}{9000em}\\]',
  '\\[\\def\\a#1{#1#1#1#1}\\a{\\a{\\a{\\a{\\a{x}}}}}\\]',
  `\\(${'{'.repeat(3_000)}\\)`,
  `\\(${'\\sqrt'.repeat(700)} x\\)`,
].join('\n\n');

describeInBrowser('what models write', (open) => {
  const run = async (page: Page, baseUrl: string): Promise<void> => {
    page.setDefaultTimeout(20_000);
    await page.goto(`${baseUrl}/play`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Tell me.');
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.waitForURL(/\/play\/[^/]+$/);
  };
  const start = (answer: Saying) => {
    const models = toldModels(({ purpose }) => (purpose === 'answer' ? answer : ['\\(d_1\\) is a draft.']));
    return { models, starting: startDashboard({ provider: models.provider, clock: systemClock }) };
  };
  const answer = (page: Page) => page.getByRole('region', { name: 'Answer of the ensemble' });
  const isComplete = (page: Page) => page.getByText('Complete', { exact: true }).first().waitFor();

  it('is shown as formulas, code, lists of tasks, tables and notes, while it is written and when it is whole', async () => {
    const { models, starting } = start([RICH_TEXT.slice(0, WHERE), { wait: 'rest' }, RICH_TEXT.slice(WHERE)]);
    await using app = await starting;
    const opened = await open({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'] });
    const { page } = opened;
    await run(page, app.baseUrl);
    // Of a text that is still being written the formulas are there, and those of drafts.
    await answer(page).locator('.katex-display').nth(1).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Open all' }).click();
    await page.getByRole('article').first().locator('.katex').waitFor({ state: 'attached' });
    models.go('rest');
    await isComplete(page);
    const text = answer(page).getByRole('tabpanel');
    await text.locator('.hljs-keyword', { hasText: 'def' }).waitFor();
    expect(await text.locator('.katex').count()).toBe(4);
    expect(await text.locator('annotation').first().textContent()).toBe(
      'x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}',
    );
    await text.getByText('and a seat costs $5 and $10.').waitFor();
    await text.getByText('A class is [^abc].').waitFor();
    await text.getByText('\\(\\frac{1\\)', { exact: true }).waitFor();
    await text.getByRole('button', { name: 'Copy code' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^def area\(radius\):\n {4}"""Area of a circle/,
    );
    const tasks = text.getByRole('listitem').filter({ has: page.getByRole('img') });
    expect(await tasks.getByRole('img').evaluateAll((boxes) => boxes.map((box) => box.ariaLabel))).toEqual([
      'Done:',
      'To do:',
    ]);
    expect(await text.getByRole('cell', { name: '12.75' }).evaluate((cell) => getComputedStyle(cell).textAlign)).toBe(
      'right',
    );
    await text.getByRole('link', { name: 'Note 1' }).click();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('1Without tax, as of today.');
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await sidewaysScroll(page)).toBe(0);
      const table = text.getByRole('group', { name: 'Table' }).first();
      expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth >= clientWidth)).toBe(true);
      // A word that is broken takes more than one line.
      const word = table.getByText('Incomprehensibilities');
      expect(await word.evaluate((cell) => cell.clientHeight)).toBeLessThan(40);
    }
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
  });

  it('runs from right to left where its text does: lists, quotations and tables as well', async () => {
    const { starting } = start([RICH_TEXT]);
    await using app = await starting;
    const { page } = await open({ reducedMotion: 'reduce' });
    await run(page, app.baseUrl);
    await isComplete(page);
    const text = answer(page).getByRole('tabpanel');
    const directionOf = (selector: string, words: string) =>
      text
        .locator(selector, { hasText: words })
        .first()
        .evaluate((block) => getComputedStyle(block).direction);
    expect(await directionOf('ul', 'تفاحة')).toBe('rtl');
    expect(await directionOf('blockquote', 'قال')).toBe('rtl');
    expect(await directionOf('table', 'الاسم')).toBe('rtl');
    expect(await directionOf('ul', 'write it')).toBe('ltr');
    // What is of another direction stands on the same side, beside its mark.
    const sideOf = (element: Locator) => element.evaluate((block) => getComputedStyle(block).textAlign);
    expect(await sideOf(text.getByText('Apple, an English item'))).toBe('right');
    expect(await sideOf(text.getByRole('cell', { name: '3', exact: true }))).toBe('right');
    expect(await sideOf(text.getByRole('columnheader', { name: 'Internationalization' }))).toBe('left');
    expect(await directionOf('table', 'Left')).toBe('ltr');
  });

  it('is shown as it was written where the programs for formulas and colours do not come', async () => {
    const { starting } = start([RICH_TEXT]);
    await using app = await starting;
    const { page } = await open({ reducedMotion: 'reduce' });
    const refused: string[] = [];
    await page.route(/render-formula|highlighted-code/, async (route) => {
      refused.push(route.request().url());
      await route.fulfill({ status: 404 });
    });
    await run(page, app.baseUrl);
    await isComplete(page);
    const text = answer(page).getByRole('tabpanel');
    await text.getByText('\\(x_{1,2} = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}\\)', { exact: true }).waitFor();
    await text.getByText('$$E = mc^2$$').waitFor();
    await text.getByText('def area(radius):').waitFor();
    expect(refused.length).toBeGreaterThan(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('does no harm by formulas: no request, no link, nothing drawn outside of its text', async () => {
    const { starting } = start([`\\(a^2\\)\n\n${HOSTILE_FORMULAS}\n\nThe end of it.`]);
    await using app = await starting;
    const { page } = await open({ reducedMotion: 'reduce' });
    await run(page, app.baseUrl);
    await isComplete(page);
    const text = answer(page).getByRole('tabpanel');
    await text.locator('.katex').first().waitFor();
    await text.getByText('The end of it.').waitFor();
    expect(await text.locator('.katex a, .katex img').count()).toBe(0);
    await text.getByText('\\def\\a#1').waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    const outside = await text.evaluate((panel) => {
      const { left, top } = panel.getBoundingClientRect();
      return document.elementsFromPoint(left - 20, top + 20).some((element) => element.closest('.katex') !== null);
    });
    expect(outside).toBe(false);
  });
});
