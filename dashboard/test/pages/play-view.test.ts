import type { Locator, Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import { axeViolations } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { sidewaysScroll } from '../support/sideways-scroll';
import { type Saying, toldModels } from '../support/told-models';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const LONG = 'A tomato is the ripe ovary of a flower. '.repeat(60);
const DRAFT = 'It is a fruit. Cooks call it a vegetable.';

/** Three write alike, and the arbiter begins its answer and waits. */
const SAYINGS: Record<string, Saying> = {
  draft: [{ wait: 'draft' }, DRAFT],
  revise: [`${DRAFT} And it has seeds.`],
  answer: ['It is a fruit. ', { wait: 'answer' }, 'Nobody else has said so. ', LONG],
};
const panel = () => toldModels(({ purpose }) => SAYINGS[purpose] ?? ['Nothing.']);

describeInBrowser('the view of a run', (open) => {
  const begin = async (page: Page, baseUrl: string): Promise<void> => {
    page.setDefaultTimeout(20_000);
    await page.goto(`${baseUrl}/play`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('article').first().waitFor();
  };
  const start = async (viewport = DESK) => {
    const models = panel();
    const app = await startDashboard({ provider: models.provider, clock: systemClock });
    const opened = await open({ viewport, reducedMotion: 'reduce' });
    await begin(opened.page, app.baseUrl);
    return { ...opened, ...models, app, opened };
  };
  const answer = (page: Page) => page.getByRole('region', { name: 'Answer of the ensemble' });
  const bar = (page: Page) => page.getByRole('navigation', { name: 'Parts of the run' });
  const draft = (page: Page, name: string) => page.getByRole('article', { name: new RegExp(name) });
  const topOf = async (page: Page, place: 'answer' | 'drafts'): Promise<number> => {
    const box = await (place === 'answer' ? answer(page) : page.getByRole('article').first()).boundingBox();
    return box?.y ?? Number.NaN;
  };
  const isOver = (page: Page) => page.getByText('Complete', { exact: true }).first().waitFor();

  it.each([
    ['a desk', DESK],
    ['a phone', PHONE],
  ])(
    'has the drafts in view while they are written, then the answer above them, folded into lines, on %s',
    async (_, viewport) => {
      const { page, go, app, opened } = await start(viewport);
      expect(await answer(page).count()).toBe(0);
      // They come up with the next frame.
      await page.waitForFunction((max) => {
        const top = document.querySelector('article')?.getBoundingClientRect().top;
        return top !== undefined && top < max;
      }, viewport.height / 2);
      go('draft');
      await answer(page).getByText('It is a fruit.').waitFor();
      const [top, drafts] = [await topOf(page, 'answer'), await topOf(page, 'drafts')];
      expect(top).toBeGreaterThanOrEqual(0);
      expect(top).toBeLessThan(viewport.height / 2 + 60);
      expect(drafts).toBeGreaterThan(top);
      go('answer');
      await isOver(page);
      const line = draft(page, 'Demo Ada');
      const { height = 0 } = (await line.boundingBox()) ?? {};
      expect(height).toBeLessThan(64);
      expect(await line.textContent()).toMatch(/Demo Ada.*13 words\$0\.0000\d+% agreement/);
      expect(await axeViolations(opened)).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
      // An ordinary window at a zoom of 200 %.
      await page.setViewportSize({ width: 720, height: 450 });
      expect(await sidewaysScroll(page)).toBe(0);
      expect(await overlapsIn(line)).toEqual([]);
      await page.setViewportSize(viewport);
      await line.getByRole('button', { expanded: false }).click();
      await line.getByRole('button', { name: 'Show changes' }).waitFor();
      await line.getByText('And it has seeds.').waitFor();
      expect(await axeViolations(opened)).toEqual([]);
      await app.close();
    },
  );

  it('offers shortcuts where there may be a keyboard, and not on a touch screen', async () => {
    await using app = await startDashboard();
    const shown = async (options: object) => {
      const { page } = await open({ viewport: { width: 390, height: 844 }, ...options });
      await page.goto(`${app.baseUrl}/play`);
      await page.getByRole('textbox', { name: 'Prompt' }).waitFor();
      return page.getByRole('button', { name: 'Shortcuts' }).count();
    };
    expect([await shown({}), await shown({ hasTouch: true, isMobile: true })]).toEqual([1, 0]);
  });

  it('leads to the answer and to each draft from wherever one is, also with keys', async () => {
    const { page, go, app } = await start();
    go('draft');
    go('answer');
    await isOver(page);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    expect((await answer(page).boundingBox())?.y).toBeLessThan(0);
    expect((await bar(page).boundingBox())?.y).toBe(0);
    await bar(page).getByRole('button', { name: 'Answer ✓' }).click();
    await page.waitForFunction(() => document.activeElement?.id === 'card-verdict');
    expect(await topOf(page, 'answer')).toBeGreaterThanOrEqual(50);
    await page.keyboard.press('2');
    await page.waitForFunction(() => document.activeElement?.id === 'card-p2');
    expect(await draft(page, '^B, ').getByRole('button', { expanded: true }).count()).toBe(1);
    await page.keyboard.press('v');
    await page.waitForFunction(() => document.activeElement?.id === 'card-verdict');
    await app.close();
  });

  it.each(['has scrolled into the drafts', 'has the focus in a draft', 'has selected words of a draft'])(
    'moves nothing for a reader who %s, and says that the answer is there',
    async (how) => {
      const { page, go, app } = await start();
      const act: Record<string, () => Promise<unknown>> = {
        'has scrolled into the drafts': () => page.evaluate(() => scrollTo(0, scrollY + 400)),
        'has the focus in a draft': () => page.keyboard.press('1'),
        'has selected words of a draft': () =>
          page.evaluate(() => getSelection()?.selectAllChildren(document.getElementById('card-p1') as Element)),
      };
      await act[how]?.();
      const before = await page.evaluate(() => [
        scrollY,
        document.getElementById('card-p1')?.getBoundingClientRect().y,
      ]);
      go('draft');
      await bar(page).getByRole('button', { name: 'Answer ●' }).waitFor();
      expect(
        await page.evaluate(() => [scrollY, document.getElementById('card-p1')?.getBoundingClientRect().y]),
      ).toEqual(before);
      expect(await answer(page).count()).toBe(0);
      go('answer');
      await bar(page).getByRole('button', { name: 'Answer ✓' }).click();
      await answer(page).getByText('Nobody else has said so.').waitFor();
      expect(await topOf(page, 'answer')).toBeGreaterThanOrEqual(0);
      await app.close();
    },
  );

  it('says which sentences of the answer stand in which draft, and how that was found', async () => {
    const { page, go, app, opened } = await start();
    go('draft');
    go('answer');
    await isOver(page);
    await page.getByRole('tab', { name: 'Who said what' }).click();
    const sentences = answer(page).getByRole('region', { name: 'Sentences of the answer' });
    await sentences.getByText('Found by comparing words').waitFor();
    const [first, second] = await sentences.getByRole('listitem').allTextContents();
    expect(first).toMatch(/^ABCD?In Demo Ada, Demo .*: It is a fruit\.$/);
    expect(second).toBe('In no draft: Nobody else has said so.');
    expect(await axeViolations(opened)).toEqual([]);
    await app.close();
  });

  it('shows the text of one model alone once, and has it judged once', async () => {
    const models = panel();
    await using app = await startDashboard({ provider: models.provider, clock: systemClock });
    const { page } = await open({ viewport: DESK });
    page.setDefaultTimeout(20_000);
    const judged: unknown[] = [];
    await page.route('**/dashboard/evaluations', (route) => {
      judged.push(route.request().postDataJSON().responses);
      return route.abort();
    });
    await page.goto(`${app.baseUrl}/play`);
    await page.getByRole('radio', { name: /One model alone/ }).check({ force: true });
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    models.go('answer');
    await isOver(page);
    await answer(page).getByText('Nobody else has said so.').waitFor();
    expect(await page.getByText('Nobody else has said so.').count()).toBe(1);
    await draft(page, 'Demo Ada')
      .getByText(/tokens · cost: /)
      .waitFor();
    await page.getByRole('tab', { name: 'Evaluate' }).click();
    await page.getByRole('button', { name: 'Add judges' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add judges' });
    await dialog.getByRole('option', { name: 'Demo Dissenter' }).click();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
    await page.getByRole('alert').first().waitFor();
    expect(judged).toEqual([[expect.objectContaining({ modelName: 'The answer, as of Demo Ada' })]]);
  });
});

/** Pairs of neighbours in the line of a folded draft of which one stands over the other. */
function overlapsIn(line: Locator): Promise<string[]> {
  return line.locator('header').evaluate((header) => {
    const parts = [...header.children].filter((part) => part.getBoundingClientRect().width > 0);
    const rights = parts.map((part) =>
      Math.max(...[part, ...part.querySelectorAll('*')].map((one) => one.getBoundingClientRect().right)),
    );
    return parts.slice(1).flatMap((part, at) => {
      const isOver = (rights[at] ?? 0) > part.getBoundingClientRect().left + 1;
      return isOver ? `${parts[at]?.textContent} | ${part.textContent}` : [];
    });
  });
}
