import { LOCAL_USER } from '../../../functions/test/support/dashboard';
import { axeViolations } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard, startEmptyDashboard } from '../support/embedded';
import { focusReturned } from '../support/focus-returned';
import { createOnPage, openKeys, statusOf, subscribe } from '../support/keys-screen';

const SECOND_MS = 1_000;

describeInBrowser('the page of the keys', (open) => {
  it('tells who is not on Pro what Pro gives, and lets them end their keys', async () => {
    await using app = await startDashboard();
    await app.clock.advance(SECOND_MS);
    await subscribe(app, 'canceled');
    const screen = await openKeys(open, app);
    const { page, dialog, row } = screen;
    await page.getByRole('region', { name: 'Keys come with Pro' }).getByText('Your keys are refused').waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0);
    await row('demo-key').getByRole('button').click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['Change …', 'Revoke …']);
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await dialog.getByText('has never been used').waitFor();
    await dialog.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByRole('button', { name: 'Show 1 revoked' }).waitFor();
    await page.getByRole('link', { name: /See how to get Pro/ }).click();
    await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor();
  });

  it('says which budget is spent, until when, and what else a key may not do', async () => {
    await using app = await startDashboard();
    const limits = {
      budgetNanoUsd: 1,
      models: ['demo-*'],
      endpoints: ['chat.completions' as const],
      requestsPerMinute: 7,
    };
    const key = await app.newKey(LOCAL_USER, 'poor', limits);
    expect(await statusOf(app, key)).toBe(200);
    expect(await statusOf(app, key)).toBe(403);
    const { row } = await openKeys(open, app);
    const texts = await row('poor').textContent();
    expect(texts).toContain('Budget reached');
    expect(texts).toContain('is spent: requests are refused until Feb 1, 2026, 12:00:00 AM UTC');
    for (const line of ['Models: demo-*', 'Endpoints: chat.completions', '7 requests a minute']) {
      expect(texts).toContain(line);
    }
  });

  it('teaches whoever has no key yet', async () => {
    await using app = await startEmptyDashboard();
    await subscribe(app, 'active');
    const screen = await openKeys(open, app);
    const { page } = screen;
    await page.getByText('Create a key, put it where YOUR_KEY stands').waitFor();
    await page.getByText(`${app.baseUrl}/v1/chat/completions`).waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(1);
    expect(await createOnPage(screen, 'first')).toMatch(/^sk-ens_/);
  });

  it('is used by keyboard alone, and the focus returns each time', async () => {
    await using app = await startEmptyDashboard();
    await subscribe(app, 'active');
    await app.newKey(LOCAL_USER, 'spare');
    const { page, dialog } = await openKeys(open, app);
    const focused = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);
    const returned = () => focusReturned(page);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const tabTo = async (name: RegExp) => {
      for (let steps = 0; steps < 40; steps += 1) {
        if (name.test((await focused()) ?? '')) return;
        await press('Tab');
      }
      throw new Error(`${name} is not reached, but ${await focused()}`);
    };
    await page.getByRole('button', { name: 'Create key' }).waitFor();
    await tabTo(/^Create key/);
    await press('Enter');
    await dialog.waitFor();
    await page.keyboard.type('laptop');
    await press('Enter');
    await dialog.getByText('waiting for the first call').waitFor();
    expect(await returned()).toBe('Copy key');
    await press('Enter');
    const key = await page.evaluate(() => navigator.clipboard.readText());
    expect(await statusOf(app, key)).toBe(200);
    await tabTo(/^I have stored it/);
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await returned()).toBe('Create key');

    await tabTo(/^Actions for laptop/);
    await press('Enter', 'ArrowDown', 'Enter');
    await dialog.getByText('The old key keeps working for').waitFor();
    expect(await returned()).toBe('Rotate');
    await press('Enter');
    await dialog.getByText('waiting for the first call').waitFor();
    await tabTo(/^I have stored it/);
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await returned()).toMatch(/^Actions for laptop/);

    await tabTo(/^End now/);
    await press('Enter');
    await dialog.waitFor();
    await page.keyboard.type(key.slice(-4));
    await press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await statusOf(app, key)).toBe(401);
    await page.waitForFunction(() => document.activeElement?.id === 'page');
  });

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('has no flaw that axe knows, %s at %i px', async (colorScheme, width) => {
    await using app = await startDashboard();
    const used = await app.newKey(LOCAL_USER, 'used', { budgetNanoUsd: 1, requestsPerMinute: 7 });
    expect(await statusOf(app, used)).toBe(200);
    const screen = await openKeys(open, app, { colorScheme, viewport: { width, height: 800 } });
    const { page, dialog } = screen;
    await screen.choose('demo-key', 'Rotate');
    expect(await axeViolations(screen)).toEqual([]);
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByText('waiting for the first call').waitFor();
    expect(await axeViolations(screen)).toEqual([]);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await axeViolations(screen)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    await screen.choose('used', 'Change');
    expect(await axeViolations(screen)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await screen.choose('used', 'Revoke');
    expect(await axeViolations(screen)).toEqual([]);
  });
});
