import type { Page } from 'playwright-core';
import { type App, startApp } from '../../../functions/test/support/app';
import { ask, LOCAL_USER } from '../../../functions/test/support/dashboard';
import { axeViolations } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { DIST, startDashboard } from '../support/embedded';
import { startRouter } from '../support/router';
import { sidewaysScroll } from '../support/sideways-scroll';

const KEY = 'sk-or-canary-0123456789';
const PHONE = { viewport: { width: 360, height: 740 } };

describeInBrowser('the page of the models', (open) => {
  const show = async ({ baseUrl }: App, options = {}) => {
    const opened = await open(options);
    await opened.page.goto(`${baseUrl}/models`);
    await opened.page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    return opened;
  };
  const saveKey = async (page: Page, key: string): Promise<void> => {
    await page.getByLabel('Key of the model router').fill(key);
    await page.getByRole('button', { name: 'Save key' }).click();
  };

  it('saves a router key, shows its end alone, replaces and deletes it', async () => {
    await using router = await startRouter();
    await using app = await startDashboard({ env: router.env });
    const { page, context } = await show(app);
    await page.getByRole('button', { name: 'Save a key' }).click();
    await saveKey(page, 'canary with blanks');
    await page.getByText('Must have 8 to 512 printable characters without spaces').waitFor();
    await saveKey(page, KEY);
    await page.getByText('…6789').waitFor();
    await page.getByRole('button', { name: 'Replace' }).click();
    expect(await page.getByLabel('Key of the model router').inputValue()).toBe('');
    await saveKey(page, 'sk-or-canary-other-abcd');
    await page.getByText('…abcd').waitFor();
    const kept = [
      await page.content(),
      page.url(),
      JSON.stringify(await context.storageState({ indexedDB: true })),
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])),
      app.logLines.join('\n'),
    ];
    expect(kept.join('\n')).not.toContain('canary');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const asked = page.getByRole('alertdialog');
    await asked.getByText('runs that name one are refused').waitFor();
    await asked.getByRole('button', { name: 'Delete key' }).click();
    await page.getByText('No key is saved').waitFor();
    expect((await ask(app, { path: 'router-key' })).body).toEqual({ saved: null });
  });

  it('finds models of the router, adds several with the keyboard alone, and removes one', async () => {
    await using router = await startRouter();
    await using app = await startDashboard({ env: router.env });
    const { page } = await show(app);
    const opener = page.getByRole('button', { name: 'Add models' });
    await opener.focus();
    await page.keyboard.press('Enter');
    const list = page.getByRole('listbox', { name: 'Models of the router' });
    await list.getByRole('option').nth(2).waitFor();
    await page.keyboard.type('owl');
    await page.getByRole('status').getByText('2 models').waitFor();
    for (const key of ['Tab', 'Space', 'ArrowDown', 'Space']) await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Add 2 models' }).waitFor();
    for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    const added = page.getByRole('list', { name: 'Added models' });
    await added.waitFor();
    const rows = await added.getByRole('listitem').allInnerTexts();
    expect(rows).toEqual([
      expect.stringMatching(/Owl: Eagle 1(.|\n)*vision · tools · context 200K tokens/),
      expect.stringMatching(
        /Owl: Mole 2(.|\n)*no vision · no tools \(runs without web grounding\) · context 32K tokens/,
      ),
    ]);
    await page.getByText('2 of 100').waitFor();
    await page.getByRole('button', { name: 'Remove Owl: Eagle 1' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 of 100').waitFor();
    expect((await ask(app, { path: 'router-models' })).body).toMatchObject({ models: [{ slug: 'owl/mole-2' }] });
  });

  it('shows what of the grant is used, set aside and left, and when it begins anew', async () => {
    await using app = await startDashboard({
      wrapStore: (store) => ({ ...store, readGrant: async () => ({ usedTokens: 115_790, leasedTokens: 4_210 }) }),
    });
    const { page } = await show(app);
    const grant = page.getByRole('region', { name: 'Monthly grant' });
    expect(await grant.getByRole('meter').getAttribute('aria-valuetext')).toBe('180,000 of 300,000 tokens are left');
    expect(await grant.getByRole('definition').allInnerTexts()).toEqual(['115,790', '4,210', 'Feb 1, 2026 (UTC)']);
  });

  it('lists the platform’s models with prices, and filters them', async () => {
    await using app = await startDashboard({ env: { OPENAI_API_KEY: 'sk-test' } });
    const { page } = await show(app);
    const table = page.getByRole('table', { name: 'Platform models' });
    await page.getByLabel('Filter by name or provider').fill('gpt-5.4-mini');
    await page
      .getByRole('status')
      .getByText(/^1 of /)
      .waitFor();
    const { models } = (
      await ask<{ models: { id: string; pricing: Record<string, number> }[] }>(app, { path: 'models' })
    ).body;
    const mini = models.find(({ id }) => id === 'gpt-5.4-mini');
    const cells = await table.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
    expect(cells.slice(1, 3)).toEqual([
      `$${mini?.pricing['input_usd_per_million']?.toFixed(2)}`,
      `$${mini?.pricing['output_usd_per_million']?.toFixed(2)}`,
    ]);
    await page.getByLabel('Filter by name or provider').fill('no such model');
    await page.getByText('No model fits').waitFor();
  });

  it('says what bring your own key gives to whom it is not active for', async () => {
    await using app = await startApp({ siteDirectory: DIST });
    const { page } = await show(app);
    const needed = page.getByRole('region', { name: 'Bring your own key' });
    await needed.getByText('You have no plan yet').waitFor();
    expect(await needed.getByRole('link').getAttribute('href')).toBe('/plan');
    expect(await page.getByRole('button', { name: 'Save a key' }).count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Models of the router' }).count()).toBe(0);
  });

  it('lets what was saved be deleted when the plan for it is over', async () => {
    await using app = await startDashboard();
    await ask(app, { method: 'PUT', path: 'router-key', body: { key: KEY } });
    await app.user(LOCAL_USER, 'pro', 'canceled');
    const { page } = await show(app);
    await page.getByText('…6789').waitFor();
    expect(await page.getByRole('button', { name: 'Replace' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete key' }).click();
    await page.getByText('…6789').waitFor({ state: 'detached' });
  });

  it('fits a phone, and has no flaw that axe finds, with the search open as well', async () => {
    await using router = await startRouter();
    await using app = await startDashboard({ env: router.env });
    await ask(app, { method: 'POST', path: 'router-models', body: { slugs: ['owl/eagle-1', 'fox/red'] } });
    const opened = await show(app, PHONE);
    const { page } = opened;
    await page.getByRole('table').waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await axeViolations(opened)).toEqual([]);
    await page.getByRole('button', { name: 'Add models' }).click();
    await page.getByRole('option').first().waitFor();
    expect(await axeViolations(opened)).toEqual([]);
  });
});
