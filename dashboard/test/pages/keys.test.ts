import { type App, bearer, CHAT, CHAT_PATH } from '../../../functions/test/support/app';
import { LOCAL_USER } from '../../../functions/test/support/dashboard';
import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { runProgram } from '../support/run-program';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

describeInBrowser('the page of the keys', (open) => {
  /** The page at the time of the service; the clipboard is allowed. */
  async function openKeys(app: App) {
    const opened = await open({ permissions: ['clipboard-read', 'clipboard-write'], reducedMotion: 'reduce' });
    const { page, context } = opened;
    await page.clock.install({ time: app.clock.nowMs() });
    await page.goto(`${app.baseUrl}/keys`);
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    const row = (text: string) => page.getByRole('row').filter({ hasText: text });
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    const choose = async (text: string, action: 'Change' | 'Rotate'): Promise<void> => {
      const actions = row(text).getByRole('button', { name: /^Actions for/ });
      await actions.click();
      await page.getByRole('menuitem', { name: `${action} …` }).click();
      await dialog.waitFor();
    };
    /** The text that a copy button of the dialog puts on the clipboard. */
    const copied = async (what: string): Promise<string> => {
      await dialog.getByRole('button', { name: `Copy ${what}` }).click();
      await dialog.getByText('Copied').first().waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    return { opened, page, context, row, dialog, choose, copied };
  }

  const statusOf = async (app: App, key: string): Promise<number> =>
    (await app.post(CHAT_PATH, CHAT, bearer(key))).status;

  it('shows a new key once, waits for the first call with it, and keeps no trace of it', async () => {
    await using app = await startDashboard();
    const { page, context, row, dialog, copied } = await openKeys(app);
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByLabel('Name').fill('laptop');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await copied('key');
    await page.keyboard.press('Escape');
    await page.mouse.click(2, 2);
    await dialog.getByText('waiting for the first call').waitFor();
    expect(await runProgram('call.sh', await copied('curl call'))).toMatch(/"content":"/);
    await page.clock.fastForward(3 * SECOND_MS);
    await dialog.getByText('works, 12:00:00 PM').waitFor();
    await dialog.getByRole('tab', { name: 'TypeScript' }).click();
    expect(await runProgram('ask.mts', await copied('TypeScript call'))).toMatch(/./);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('laptop').getByText('just now').waitFor();
    const traces = [
      await page.content(),
      JSON.stringify(await context.storageState({ indexedDB: true })),
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state])),
      ...app.logLines,
    ];
    expect(traces.filter((text) => text.includes(key.slice(7)))).toEqual([]);
  });

  it('replaces a key, whose old one works until its time is over or it is ended', async () => {
    await using app = await startDashboard();
    const [old, other] = [await app.newKey(LOCAL_USER, 'prod'), await app.newKey(LOCAL_USER, 'ci')];
    const { page, row, dialog, choose, copied } = await openKeys(app);
    await choose('prod', 'Rotate');
    await dialog.getByText('1 hour').click();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const key = await copied('key');
    await dialog.getByText(`…${old.slice(-4)} works until Jan 15, 2026, 1:00:00 PM`).waitFor();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    expect([await statusOf(app, old), await statusOf(app, key)]).toEqual([200, 200]);
    await app.clock.advance(HOUR_MS);
    await page.clock.fastForward(HOUR_MS);
    expect([await statusOf(app, old), await statusOf(app, key)]).toEqual([401, 200]);
    await page.getByRole('button', { name: 'Show 1 expired' }).click();
    await row(old.slice(-4)).getByText('Expired').waitFor();

    expect(await statusOf(app, other)).toBe(200);
    await choose('ci', 'Rotate');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: /^End now/ }).click();
    await dialog.getByLabel(/^Type/).fill('0000');
    await dialog.getByRole('button', { name: /^Revoke/ }).click();
    await dialog.getByText(`The last four characters of this key are ${other.slice(-4)}.`).waitFor();
    await dialog.getByLabel(/^Type/).fill(other.slice(-4));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await statusOf(app, other)).toBe(401);
  });

  it('changes name, end and budget of a key, and says at the field what the server refuses', async () => {
    await using app = await startDashboard();
    const { row, dialog, choose } = await openKeys(app);
    await choose('demo-key', 'Change');
    await dialog.getByLabel('Name').fill('desk');
    await dialog.getByText('On a date').click();
    await dialog.getByLabel('Last day').fill('2026-01-20');
    await dialog.getByLabel('Budget').fill('2000000');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^Must be above 0 and at most a million US dollars\. \(Request [0-9a-f]{32}\)$/).waitFor();
    await dialog.getByLabel('Budget').fill('2.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('desk').getByText('Expires in 5 days').waitFor();
    await row('desk').getByText('of $2.50').waitFor();
  });

  it('limits a key to models, endpoints and requests a minute, when it is made and later, with flaws at their field', async () => {
    await using app = await startDashboard();
    const { opened, page, row, dialog, choose, copied } = await openKeys(app);
    await page.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByLabel('Name').fill('narrow');
    await dialog.getByRole('textbox', { name: 'Models' }).fill('gpt-*, demo-ada');
    await dialog.getByRole('checkbox', { name: 'models', exact: true }).focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel('Requests a minute').fill('31');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText(/^Must be an integer from 1 to 30, which is the limit of a user\./).waitFor();
    await dialog.getByLabel('Requests a minute').fill('a few');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Write a number like 10.').waitFor();
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
    await dialog.getByLabel('Requests a minute').fill('7');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const key = await copied('key');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    for (const line of ['Models: gpt-*, demo-ada', 'Endpoints: models', '7 requests a minute'])
      await row('narrow').getByText(line).waitFor();
    expect(await statusOf(app, key)).toBe(403);
    await choose('narrow', 'Change');
    expect(await dialog.getByRole('checkbox', { name: 'models', exact: true }).isChecked()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'chat.completions' }).focus();
    await page.keyboard.press('Space');
    await dialog.getByRole('textbox', { name: 'Models' }).fill('');
    await dialog.getByLabel('Requests a minute').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row('narrow').getByText('Endpoints: chat.completions, models').waitFor();
    expect(
      await row('narrow')
        .getByText(/requests a minute|Models:/)
        .count(),
    ).toBe(0);
    expect(await statusOf(app, key)).toBe(200);
  });

  it('keeps what is spent of a budget when a key is rotated, and leads from each key to its requests', async () => {
    await using app = await startDashboard();
    const old = await app.newKey(LOCAL_USER, 'tight', { budgetNanoUsd: 1 });
    expect([await statusOf(app, old), await statusOf(app, old)]).toEqual([200, 403]);
    const { page, row, dialog, choose, copied } = await openKeys(app);
    const spent = await row('tight').getByRole('link').textContent();
    expect(spent).not.toMatch(/^\$0\.00 /);
    await choose('tight', 'Rotate');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const fresh = await copied('key');
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    expect(await statusOf(app, fresh)).toBe(403);
    await row(fresh.slice(-4)).first().getByText('Budget reached').waitFor();
    expect(await row('tight').getByRole('link').allTextContents()).toEqual([spent, spent]);
    await row('tight').getByRole('link').first().click();
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    expect(await page.getByRole('table', { name: 'Requests' }).locator('tbody tr').count()).toBe(1);
    expect(await page.getByLabel('Key').evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text)).toBe(
      'tight',
    );
  });

  it('finds keys by name, last characters, models and endpoints', async () => {
    await using app = await startDashboard();
    for (const name of ['ci', 'laptop', 'prod']) await app.newKey(LOCAL_USER, name);
    await app.newKey(LOCAL_USER, 'night', { models: ['gpt-*'], endpoints: ['runs'] });
    const { page } = await openKeys(app);
    const filter = page.getByRole('searchbox');
    const names = () => page.getByRole('rowheader').allTextContents();
    for (const [words, name] of [
      ['LAP', 'laptop'],
      ['gpt', 'night'],
      ['runs', 'night'],
    ] as const) {
      await filter.fill(words);
      expect(await names()).toEqual([expect.stringMatching(`^${name}`)]);
    }
    await filter.fill('nothing of the kind');
    await page.getByText('No key has these words.').waitFor();
    await page.keyboard.press('Escape');
    expect(await names()).toHaveLength(5);
  });
});
