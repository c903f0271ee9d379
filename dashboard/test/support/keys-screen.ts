import { type App, bearer, CHAT, CHAT_PATH } from '../../../functions/test/support/app';
import { LOCAL_USER } from '../../../functions/test/support/dashboard';
import type { OpenPage } from './browser';

/** The page of the keys, at the time of the service; the clipboard is allowed. */
export async function openKeys(open: OpenPage, app: App, options: Parameters<OpenPage>[0] = {}) {
  const opened = await open({ permissions: ['clipboard-read', 'clipboard-write'], ...options });
  const { page } = opened;
  await page.clock.install({ time: app.clock.nowMs() });
  await page.goto(`${app.baseUrl}/keys`);
  await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();

  const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text });
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
  return {
    ...opened,
    dialog,
    /** The row of a key, by what stands in it. */
    row,
    /** Chooses in the menu of a row. */
    choose: async (text: string, action: 'Change' | 'Rotate' | 'Revoke') => {
      await row(text)
        .getByRole('button', { name: /^Actions for/ })
        .click();
      await page.getByRole('menuitem', { name: `${action} …` }).click();
      await dialog.waitFor();
    },
    /** The text that a copy button of the dialog puts on the clipboard. */
    copied: async (what: string) => {
      await dialog.getByRole('button', { name: `Copy ${what}` }).click();
      await dialog.getByText('Copied').first().waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    },
    /** Lets time pass for the service and for the page. */
    pass: async (ms: number) => {
      await app.clock.advance(ms);
      await page.clock.fastForward(ms);
    },
  };
}

/** The page with the keys as it is opened. */
type KeysScreen = Awaited<ReturnType<typeof openKeys>>;

/** Makes a key on the page, leaves its dialog open, and returns the key. */
export async function createOnPage({ page, dialog, copied }: KeysScreen, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByRole('heading', { name: `Your new key “${name}”` }).waitFor();
  return copied('key');
}

/** The status of the API's answer to a call with a key. */
export async function statusOf(app: App, key: string): Promise<number> {
  return (await app.post(CHAT_PATH, CHAT, bearer(key))).status;
}

/** The user of the page is on Pro from now on, in this status. */
export function subscribe({ container: { store }, clock }: App, status: string): Promise<unknown> {
  return store.putSubscription({ userId: LOCAL_USER, tier: 'pro', status, sourceUpdatedAtMs: clock.nowMs() });
}
