import type { BrowserContext, Page } from 'playwright-core';
import { runProgram } from '../support/run-program';
import { EMAIL, firstPage, type HostedPages } from './hosted-pages';

const HOUR_MS = 3_600_000;

/** Signing in with Firebase, and out again. */
export function signInTests(hosted: HostedPages): void {
  const { open, pagesUrl, baseUrl, accounts, linkTo, askForLink, signIn } = hosted;
  const keys = (page: Page) => page.getByRole('heading', { name: 'API keys', level: 1 });

  /** Lets the sign-in of the demo user be of an hour ago, for Firebase and for this browser. */
  const age = async (context: BrowserContext): Promise<void> => {
    const lastLoginAt = Date.now() - HOUR_MS;
    // A sign-in from before tokens count from would be taken for one that was ended.
    const validSince = Math.floor(lastLoginAt / 1_000) - 1;
    await accounts('update', { localId: 'demo', lastLoginAt: String(lastLoginAt), validSince: String(validSince) });
    // A page whose time is two hours later asks for a new token, which tells of the old sign-in, and keeps it.
    const later = await context.newPage();
    await later.clock.install({ time: Date.now() + 2 * HOUR_MS });
    await later.goto(`${pagesUrl()}/keys`);
    await keys(later).waitFor();
    await later.close();
  };

  it('signs in with a link by e-mail, whose code does not stay in the address, and out again', async () => {
    const { page } = await open();
    await signIn(page, EMAIL);
    expect(page.url()).toBe(`${pagesUrl()}/play`);
    await page.reload();
    await firstPage(page).waitFor();
    await page.getByRole('button', { name: /account and theme/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('asks for a fresh sign-in where that is old, then makes the key by itself, which works', async () => {
    const { page, context } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await signIn(page, EMAIL);
    await age(context);
    await page.goto(`${pagesUrl()}/keys`);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('hosted');
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await confirm.getByRole('button', { name: 'Send a link by e-mail' }).click();
    await confirm.getByText('Open it in this browser').waitFor();
    const mail = await context.newPage();
    await mail.goto(await linkTo(EMAIL));
    await firstPage(mail).waitFor();
    await page.getByRole('heading', { name: 'Your new key “hosted”' }).waitFor();

    const key = await page.getByLabel('The new key').inputValue();
    const baseURL = baseUrl();
    const program = `import OpenAI from 'openai';
      const client = new OpenAI(${JSON.stringify({ apiKey: key, baseURL })});
      const messages = [{ role: 'user', content: 'Is a tomato a fruit?' }];
      const { choices } = await client.chat.completions.create({ model: 'ensemble', messages });
      console.log(choices[0].message.content);`;
    expect(await runProgram('ask.mts', program)).toContain('tomato');
    await page.getByText(/^works, /).waitFor();
  });

  it('signs out everywhere: another browser is refused, and says why it asks to sign in again', async () => {
    const [{ page }, elsewhere] = [await open(), await open()];
    await signIn(elsewhere.page, EMAIL);
    await signIn(page, EMAIL);
    const ended = page.waitForResponse((response) => response.url().endsWith('/dashboard/sign-out-everywhere'));
    await page.getByRole('button', { name: /account and theme/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    expect((await ended).status()).toBe(200);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();

    await elsewhere.page.getByRole('link', { name: 'Plan' }).click();
    await elsewhere.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await elsewhere.page.getByRole('alert').getByText('Your sign-in was ended').waitFor();
  });

  it('asks for the address where the link is opened on another device, and takes no other', async () => {
    const [here, there] = [await open(), await open()];
    await there.page.goto(await askForLink(here.page, EMAIL));
    await there.page.getByRole('heading', { name: 'Confirm your e-mail address' }).waitFor();
    const answer = async (email: string) => {
      await there.page.getByRole('textbox', { name: 'E-mail address' }).fill(email);
      await there.page.getByRole('button', { name: 'Sign in' }).click();
    };
    await answer('other@example.com');
    await there.page.getByRole('alert').getByText('not the address that the link was sent to').waitFor();
    await answer(EMAIL);
    await firstPage(there.page).waitFor();
  });
}
