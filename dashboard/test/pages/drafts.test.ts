import type { Page } from 'playwright-core';
import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { EMAIL, hostSession, LINK } from '../support/hosted-session';
import { keptRequestOf } from '../support/kept-request';
import { sidewaysScroll } from '../support/sideways-scroll';

const PROMPT = 'Is a tomato a fruit, or #not & why?';
const FILE = { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('# Notes') };
/** A PNG of one pixel's head. */
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' });
const strategy = (page: Page, name: string) => page.getByRole('radio', { name });
const chooseDebate = (page: Page) =>
  page.getByRole('radiogroup', { name: 'Strategy' }).getByText('Debate', { exact: true }).click();
const goTo = async (page: Page, link: string, heading = link): Promise<void> => {
  await page.getByRole('link', { name: link, exact: true }).click();
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
};

describeInBrowser('a set-up in the playground', (open) => {
  /** A page with a draft of everything. */
  const draft = async (page: Page, baseUrl: string): Promise<void> => {
    page.setDefaultTimeout(20_000);
    await page.goto(`${baseUrl}/play`);
    await prompt(page).fill(PROMPT);
    await chooseDebate(page);
    await page.getByRole('button', { name: 'Remove Demo Dissenter' }).click();
    await page.getByRole('button', { name: 'One round more' }).click();
    await page.locator('input[type=file]').setInputFiles([FILE]);
    await page.getByRole('button', { name: 'Remove notes.md' }).waitFor();
  };
  const expectPanel = async (page: Page): Promise<void> => {
    await strategy(page, 'Debate').and(page.locator(':checked')).waitFor();
    expect(await page.getByRole('button', { name: /^Remove Demo/ }).count()).toBe(3);
    expect(await page.getByRole('group', { name: 'Rounds, at most' }).getByRole('status').textContent()).toBe('3');
  };

  it('is there after other pages, a reload and, but for its texts, in a new tab; lost files are named', async () => {
    await using app = await startDashboard();
    const { page, context } = await open();
    await draft(page, app.baseUrl);
    await goTo(page, 'Models');
    await goTo(page, 'Playground');
    expect(await prompt(page).inputValue()).toBe(PROMPT);
    await page.getByRole('button', { name: 'Remove notes.md' }).waitFor();
    await goTo(page, 'Runs');
    await page.goBack();
    expect(await prompt(page).inputValue()).toBe(PROMPT);
    // As far as it was written at that moment.
    await prompt(page).press('End');
    await prompt(page).pressSequentially('!');
    await page.reload();
    expect(await prompt(page).inputValue()).toBe(`${PROMPT}!`);
    await expectPanel(page);
    await page.getByText(/To be added again: notes\.md/).waitFor();
    await page.locator('input[type=file]').setInputFiles([FILE]);
    await page.getByText(/To be added again/).waitFor({ state: 'detached' });
    const tab = await context.newPage();
    await tab.goto(`${app.baseUrl}/play`);
    await strategy(tab, 'Debate').waitFor();
    await expectPanel(tab);
    expect(await prompt(tab).inputValue()).toBe('');
  });

  it('is in the address while that is short, for others to open, and no server is told of it', async () => {
    await using app = await startDashboard();
    const { page } = await open();
    await draft(page, app.baseUrl);
    await page.waitForURL(/#.*notes\.md/);
    const address = page.url();
    await prompt(page).fill('long '.repeat(400));
    await page.waitForURL(/\/play$/);
    const { page: other } = await open();
    const requested: string[] = [];
    other.on('request', (request) => requested.push(request.url()));
    await other.goto(address);
    expect(await prompt(other).inputValue()).toBe(PROMPT);
    await expectPanel(other);
    expect(requested.join()).not.toContain('tomato');
    await other.goto(
      `${app.baseUrl}/play#prompt=%3Cimg+src=x%3E&strategy=constructor&rounds=1e9&participants=[%22${'x'.repeat(300)}%22]`,
    );
    await other.waitForFunction(() => document.querySelector('textarea')?.value === '<img src=x>');
    expect(await strategy(other, 'Competitive refinement').isChecked()).toBe(true);
    expect(await other.getByRole('group', { name: 'Rounds, at most' }).getByRole('status').textContent()).toBe('2');
  });

  it('is never shown to another account of the same browser', async () => {
    await using app = await startDashboard();
    const { page } = await open();
    const signIn = async (id: string): Promise<void> => {
      await page.unroute(`${app.baseUrl}/**`);
      await hostSession(page, app, id);
      await page.goto(app.baseUrl + LINK);
      await page.getByLabel('E-mail address').fill(EMAIL);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await prompt(page).waitFor();
    };
    const kept = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    page.setDefaultTimeout(20_000);
    await signIn('ada');
    await prompt(page).fill('The secret of Ada');
    await chooseDebate(page);
    await page.waitForURL(/secret/);
    expect(await kept()).toContain('secret');
    await page.getByRole('button', { name: /account and theme/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByLabel('E-mail address').waitFor();
    expect(page.url()).not.toContain('secret');
    expect(await kept()).not.toMatch(/secret|debate/);
    await signIn('bob');
    expect(await prompt(page).inputValue()).toBe('');
    expect(await strategy(page, 'Debate').isChecked()).toBe(false);
    await page.goBack();
    await page.goForward();
    await prompt(page).waitFor();
    expect(await prompt(page).inputValue()).toBe('');
  });

  it('takes files that are dropped or pasted anywhere in it, texts by what is in them, and sends them', async () => {
    await using app = await startDashboard();
    const { page } = await open();
    page.setDefaultTimeout(20_000);
    await page.goto(`${app.baseUrl}/play`);
    await prompt(page).fill(PROMPT);
    await page.evaluate((png) => {
      const files = (...list: File[]) => {
        const transfer = new DataTransfer();
        for (const file of list) transfer.items.add(file);
        return transfer;
      };
      const code = new File(['fn main() {}'], 'main.rs');
      const broken = new File([new Uint8Array([0, 1, 2])], 'a.exe');
      const dataTransfer = files(code, broken);
      document.querySelector('h1')?.dispatchEvent(new DragEvent('dragover', { bubbles: true, dataTransfer }));
      Reflect.set(window, 'drop', () =>
        document
          .querySelector('h1')
          ?.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer })),
      );
      Reflect.set(window, 'pastePicture', () =>
        document.querySelector('textarea')?.dispatchEvent(
          new ClipboardEvent('paste', {
            bubbles: true,
            clipboardData: files(new File([new Uint8Array(png)], 'image.png', { type: 'image/png' })),
          }),
        ),
      );
    }, PNG);
    await page.getByText('Drop the files to add them').waitFor();
    expect(await page.evaluate(() => Reflect.get(window, 'drop')())).toBe(false);
    await page.getByRole('button', { name: 'Remove main.rs' }).waitFor();
    await page.getByText(/^a\.exe was left out: it is neither a text/).waitFor();
    await page.evaluate(() => Reflect.get(window, 'pastePicture')());
    await page.getByRole('button', { name: 'Remove image.png' }).click();
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).click();
    await page.waitForURL(/\/play\/\w+$/);
    expect(await keptRequestOf(app, page)).toMatchObject({
      attachments: [{ name: 'main.rs', media_type: 'text/plain', bytes: 12 }],
    });
    await page.getByText('files: main.rs').waitFor();
  });

  it('has Run in view on a phone and at a zoom of 200 %, and strategies in a strip with picture and sentence of the chosen one', async () => {
    await using app = await startDashboard();
    const opened = await open({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    const { page } = opened;
    await draft(page, app.baseUrl);
    const isInView = async (button: string): Promise<boolean> => {
      const box = await page.getByRole('button', { name: button, exact: true }).boundingBox();
      const nav = await page.getByRole('navigation', { name: 'Pages' }).boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= (nav?.y ?? 0);
    };
    for (const top of [0, 200, 10_000]) {
      await page.evaluate((y) => scrollTo(0, y), top);
      expect([top, await isInView('Run')]).toEqual([top, true]);
    }
    const strip = await page.getByRole('radiogroup', { name: 'Strategy' }).boundingBox();
    expect(strip?.height).toBeLessThan(170);
    await page.getByText('Two sides argue for and against a first answer').waitFor();
    expect(
      await page.getByRole('radiogroup', { name: 'Strategy' }).locator('svg').filter({ visible: true }).count(),
    ).toBe(1);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
    await page.goto(`${app.baseUrl}/play/compare`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('group', { name: 'Set-up 2' }).waitFor();
    expect(await isInView('Run all')).toBe(true);
    // An ordinary window at a zoom of 200 %.
    await page.setViewportSize({ width: 640, height: 400 });
    expect(await isInView('Run all')).toBe(true);
  });
});
