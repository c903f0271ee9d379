import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import { axeViolations, axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { sidewaysScroll } from '../support/sideways-scroll';
import { toldModels } from '../support/told-models';

const HOSTILE_PROMPT = 'Is a tomato\na fruit? <img src=x onerror=alert(1)>';

describeInBrowser('a run that is taken away', (open) => {
  const start = (env: Record<string, string> = {}) => {
    const { provider } = toldModels(({ purpose, providerModel }) =>
      purpose === 'answer' ? ['It is **a berry**: \\(x^2\\).'] : [`It is a fruit, says ${providerModel}.`],
    );
    return startDashboard({ provider, clock: systemClock, env });
  };
  const run = async (page: Page, baseUrl: string): Promise<void> => {
    page.setDefaultTimeout(20_000);
    await page.goto(`${baseUrl}/play`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill(HOSTILE_PROMPT);
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Complete', { exact: true }).first().waitFor();
  };
  const answer = (page: Page) => page.getByRole('region', { name: 'Answer of the ensemble' });
  const sharing = (page: Page) => page.getByRole('dialog', { name: 'Share this run' });

  it('is saved as Markdown, from its page and from the list, with the prompt, the drafts, the answer and the cost', async () => {
    await using app = await start();
    const { page } = await open({ reducedMotion: 'reduce' });
    await run(page, app.baseUrl);
    const saved = async (press: () => Promise<void>): Promise<string> => {
      const downloading = page.waitForEvent('download');
      await press();
      return readFile(await (await downloading).path(), 'utf8');
    };
    const text = await saved(() => answer(page).getByRole('button', { name: 'Save run as Markdown' }).click());
    expect(text).toContain(`## Prompt\n\n${HOSTILE_PROMPT}\n`);
    expect(text).toContain('Draft, round 1\n\nIt is a fruit, says demo-ada.');
    expect(text).toContain('## Answer\n\nIt is **a berry**: \\(x^2\\).');
    expect(text).toMatch(/\| All \| {2}\| [\d,]+ \| [\d,]+ \| \$[\d.]+ \|/);
    await page.goto(`${app.baseUrl}/play/runs`);
    await page.getByRole('button', { name: /^Actions/ }).click();
    expect(await saved(() => page.getByRole('menuitem', { name: 'Save as Markdown' }).click())).toBe(text);
    await page.getByRole('button', { name: /^Actions/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Share …' }).press('Enter');
    await sharing(page).getByRole('button', { name: 'Make a link' }).press('Enter');
    await sharing(page).getByRole('textbox', { name: 'Link' }).waitFor();
    expect(
      await sharing(page)
        .getByRole('button', { name: 'Copy link' })
        .evaluate((one) => one.matches(':focus')),
    ).toBe(true);
    await page.keyboard.press('Escape');
    await sharing(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Actions/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Share …' }).press('Enter');
    await sharing(page).getByText('There is a link to this run. It is not shown again').waitFor();
  });

  const shared = async (page: Page): Promise<string> => {
    await answer(page).getByRole('button', { name: 'Share …' }).click();
    await sharing(page).getByText('Whoever has the link can read this run').waitFor();
    await sharing(page).getByRole('button', { name: 'Make a link' }).click();
    return sharing(page).getByRole('textbox', { name: 'Link' }).inputValue();
  };

  it('is read by whoever has its link, without an account', async () => {
    await using app = await start();
    const owner = await open({ reducedMotion: 'reduce' });
    await run(owner.page, app.baseUrl);
    const link = await shared(owner.page);
    expect(await axeViolationsInAllLooks(owner)).toEqual([]);

    const reader = await open({ reducedMotion: 'reduce' });
    const { page } = reader;
    page.setDefaultTimeout(20_000);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const sent: (string | undefined)[] = [];
    await page.route('**/dashboard/**', async (route) => {
      // Whatever the browser has of the owner's sign-in stays away.
      const { cookie: _, ...headers } = await route.request().allHeaders();
      sent.push(headers['x-dashboard'] ?? headers['authorization']);
      await route.continue({ headers });
    });
    await page.goto(link);
    await answer(page).locator('.katex').waitFor();
    await answer(page).getByText('a berry', { exact: true }).waitFor();
    await page
      .getByRole('article', { name: /Demo Ada/ })
      .getByRole('button', { name: 'Demo Ada' })
      .click();
    await page
      .getByRole('article', { name: /Demo Ada/ })
      .getByText('says demo-ada')
      .waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    expect([...new Set(asked.filter((path) => path.startsWith('/dashboard')))]).toEqual([
      new URL(link).pathname.replace('/shared/', '/dashboard/shared/'),
    ]);
    expect(sent).toEqual([undefined]);
    for (const name of [/^Share/, 'Change and run again', 'New run', 'Stop'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await answer(page).getByRole('tab').allInnerTexts()).toEqual(['Answer', 'Why', 'Who said what']);
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.getByRole('button', { name: 'Replay 10×' }).click();
    await page.getByText('Complete', { exact: true }).first().waitFor();
    expect(await page.locator('meta[name=robots]').getAttribute('content')).toBe('noindex');
    expect(await axeViolationsInAllLooks(reader)).toEqual([]);
    expect(await sidewaysScroll(page)).toBe(0);
  });

  it('is read no more once its owner has ended the link; a page whose program does not come says so', async () => {
    await using app = await start();
    const owner = await open({ reducedMotion: 'reduce' });
    await run(owner.page, app.baseUrl);
    const link = await shared(owner.page);
    const reader = await open({ reducedMotion: 'reduce' });
    const { page } = reader;
    await page.route('**/assets/shared-page-*.js', (route) => route.fulfill({ status: 404 }));
    await page.goto(link);
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.unroute('**/assets/shared-page-*.js');

    await sharing(owner.page).getByRole('button', { name: 'End the link' }).click();
    await sharing(owner.page).getByText('Whoever has the link can read this run').waitFor();
    await page.reload();
    await page.getByText('No run is shared by this link').waitFor();
    expect(await axeViolations(reader)).toEqual([]);
  });

  it('is not shared where the server makes no links', async () => {
    await using app = await start({ RUN_LINKS: 'off' });
    const { page } = await open({ reducedMotion: 'reduce' });
    await run(page, app.baseUrl);
    await answer(page).getByRole('button', { name: 'Save run as Markdown' }).waitFor();
    expect(await page.getByText('Share …').count()).toBe(0);
    await page.goto(`${app.baseUrl}/play/runs`);
    await page.getByRole('button', { name: /^Actions/ }).click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual([
      'Save as a file',
      'Save as Markdown',
      'Delete …',
    ]);
  });
});
