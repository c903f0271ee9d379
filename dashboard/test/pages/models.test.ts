import type { Page } from 'playwright-core';
import type { App } from '../../../functions/test/support/app';
import { ask } from '../../../functions/test/support/dashboard';
import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { startRouter } from '../support/router';

const KEY = 'sk-or-canary-0123456789';

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

  it('tells of a router key that the router refuses, in its word; one that could not be checked is saved, and that is said', async () => {
    const reply: { status: number; body: object } = { status: 401, body: { error: { message: 'User not found.' } } };
    await using router = await startRouter(undefined, (path) => (path.endsWith('/key') ? reply : undefined));
    await using app = await startDashboard({ env: router.env });
    const opened = await show(app, { reducedMotion: 'reduce' });
    const { page } = opened;
    await page.getByRole('button', { name: 'Save a key' }).click();
    await saveKey(page, 'sk-or-canary-typo');
    const field = page.getByLabel('Key of the model router');
    await page.getByText('The router refuses it: “User not found”.').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
    expect((await ask(app, { path: 'router-key' })).body).toEqual({ saved: null });
    Object.assign(reply, { status: 503, body: {} });
    await saveKey(page, KEY);
    const words = 'the router could not be asked if it takes it: it answers with status 503.';
    await page.getByRole('status').getByText(words).waitFor();
    await page.getByText('…6789').waitFor();
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
  });

  it('shows slug, price and context of the router’s models, and adds one by a slug that its list lacks', async () => {
    await using router = await startRouter();
    await using app = await startDashboard({ env: router.env });
    const opened = await show(app, { reducedMotion: 'reduce' });
    const { page } = opened;
    await page.getByRole('button', { name: 'Add models' }).click();
    const options = page.getByRole('listbox', { name: 'Models of the router' }).getByRole('option');
    await options.nth(2).waitFor();
    expect(await options.allInnerTexts()).toEqual([
      'Fox: Red\nfox/red\nprice not known · context not known · vision and tools not known',
      'Owl: Eagle 1\nowl/eagle-1\nprice not known · context 200K tokens · vision · tools',
      'Owl: Mole 2\nowl/mole-2\n$0.20 in, $0.80 out · context 32K tokens · no vision · no tools (runs without web grounding)',
    ]);
    await page.keyboard.type('newt/some-model:beta');
    const unlisted = page.getByRole('option', { name: 'Use newt/some-model:beta' });
    await unlisted.waitFor();
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
    for (const key of ['Tab', 'Space', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    const added = page.getByRole('list', { name: 'Added models' }).getByRole('listitem');
    await added.waitFor();
    expect(await added.allInnerTexts()).toEqual([
      expect.stringMatching(/^newt\/some-model:beta\n+vision and tools not known · context not known/),
    ]);
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
    await page.getByText('No model matches').waitFor();
  });
});
