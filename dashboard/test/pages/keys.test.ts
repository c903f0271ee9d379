import { LOCAL_USER } from '../../../functions/test/support/dashboard';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { focusReturned } from '../support/focus-returned';
import { createOnPage, openKeys, statusOf } from '../support/keys-screen';
import { runProgram } from '../support/run-program';
import { tracesOf } from '../support/traces';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

describeInBrowser('a key on the page of the keys', (open) => {
  it('shows a new key once, waits for the first call with it, and keeps no trace of it', async () => {
    await using app = await startDashboard();
    const screen = await openKeys(open, app);
    const { page, dialog, row } = screen;
    const key = await createOnPage(screen, 'laptop');
    expect(key).toBe(await dialog.getByRole('textbox', { name: 'The new key' }).inputValue());
    await dialog.getByText('waiting for the first call').waitFor();

    await page.keyboard.press('Escape');
    await page.mouse.click(2, 2);
    expect(await dialog.isVisible()).toBe(true);

    const curl = await screen.copied('curl call');
    expect(await runProgram('call.sh', curl)).toMatch(/"content":"/);
    await page.clock.fastForward(3 * SECOND_MS);
    await dialog.getByText('works, 12:00:00 PM').waitFor();
    await dialog.getByRole('tab', { name: 'TypeScript' }).click();
    const program = await screen.copied('TypeScript call');
    expect(await runProgram('ask.mts', program)).toMatch(/./);
    await page.evaluate(() => navigator.clipboard.writeText(''));

    expect((await tracesOf(screen)).includes(key)).toBe(true);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('laptop').getByText('just now').waitFor();
    expect(await focusReturned(page)).toBe('Create key');
    const traces = await tracesOf(screen);
    expect(traces).toContain('"keys"');
    expect([traces, ...app.logLines].filter((text) => text.includes(key.slice(7)))).toEqual([]);
  });

  it('replaces a key by a new one, and the old one works until its time is over', async () => {
    await using app = await startDashboard();
    const old = await app.newKey(LOCAL_USER, 'prod');
    const screen = await openKeys(open, app);
    const { page, dialog, row } = screen;
    await screen.choose('prod', 'Rotate');
    await dialog.getByText('1 hour').click();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const key = await screen.copied('key');
    await dialog.getByText(`…${old.slice(-4)} works until Jan 15, 2026, 1:00:00 PM`).waitFor();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();

    await row(`replaced by …${key.slice(-4)}`)
      .getByText('Dies in')
      .waitFor();
    expect([await statusOf(app, old), await statusOf(app, key)]).toEqual([200, 200]);
    await screen.pass(HOUR_MS);
    expect([await statusOf(app, old), await statusOf(app, key)]).toEqual([401, 200]);
    await page.getByRole('button', { name: 'Show 1 expired' }).click();
    await row(old.slice(-4)).getByText('Expired').waitFor();
  });

  it('ends a replaced key before its time, and asks for its last characters while it is in use', async () => {
    await using app = await startDashboard();
    const old = await app.newKey(LOCAL_USER, 'prod');
    expect(await statusOf(app, old)).toBe(200);
    const screen = await openKeys(open, app);
    const { page, dialog, row } = screen;
    await screen.choose('prod', 'Rotate');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await row('replaced by')
      .getByRole('button', { name: /^End now/ })
      .click();

    await dialog.getByText(/was last used just now and has spent \$0/).waitFor();
    await dialog.getByText('This cannot be undone').waitFor();
    await dialog.getByLabel(/^Type/).fill('0000');
    await dialog.getByRole('button', { name: /^Revoke/ }).click();
    await dialog.getByText(`The last four characters of this key are ${old.slice(-4)}.`).waitFor();
    expect(await statusOf(app, old)).toBe(200);
    await dialog.getByLabel(/^Type/).fill(old.slice(-4));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await statusOf(app, old)).toBe(401);
    expect(await row(old.slice(-4)).count()).toBe(0);
    await page.getByRole('button', { name: 'Show 1 revoked' }).click();
    await row('Revoked').getByText(old.slice(-4)).first().waitFor();
  });

  it('makes no more keys than may be live, yet rotates each of them', async () => {
    await using app = await startDashboard();
    for (let count = 2; count <= 20; count += 1) await app.newKey(LOCAL_USER, `key-${count}`);
    const screen = await openKeys(open, app);
    const { page, dialog, row } = screen;
    await page.getByText('20 of 20 live').waitFor();
    await page.getByText('For another key, revoke one of these first').waitFor();
    expect(await page.getByRole('button', { name: 'Create key' }).isDisabled()).toBe(true);
    await screen.choose('key-20', 'Rotate');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await row('replaced by').getByText('Dies in').waitFor();
    await page.getByText('20 of 20 live').waitFor();
  });

  it('changes name, end and budget of a key, and says at the field what the server refuses', async () => {
    await using app = await startDashboard();
    const screen = await openKeys(open, app);
    const { dialog, row } = screen;
    await screen.choose('demo-key', 'Change');
    await dialog.getByLabel('Name').fill('desk');
    await dialog.getByText('On a date').click();
    await dialog.getByLabel('Last day').fill('2026-01-20');
    await dialog.getByLabel('Budget').fill('2000000');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/^Must be above 0 and at most a million US dollars\. \(Request [0-9a-f]{32}\)$/).waitFor();
    await dialog.getByLabel('Budget').fill('2,5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Write dollars like 5 or 12.50.').waitFor();
    await dialog.getByLabel('Budget').fill('2.5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row('desk').getByText('Expires in 5 d').waitFor();
    await row('desk').getByText('of $2.50').waitFor();

    await screen.choose('desk', 'Change');
    expect(await dialog.getByLabel('Last day').inputValue()).toBe('2026-01-20');
    await dialog.getByText('Never').click();
    await dialog.getByLabel('Budget').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row('desk').getByText('Active').waitFor();
    const [key] = await app.container.store.listKeys(LOCAL_USER);
    expect(key).toMatchObject({ name: 'desk', expiresAtMs: null });
    expect(key?.budgetNanoUsd).toBeUndefined();
  });
});
