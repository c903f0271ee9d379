import type { BrowserContext, Page } from 'playwright-core';
import { describeWithEmulators } from '../../../functions/test/function/firebase-emulators';
import { describeInBrowser } from '../support/browser';
import { runProgram } from '../support/run-program';

const PROJECT = 'demo-ensemble';
const EMAIL = 'demo@example.com';
const HOUR_MS = 3_600_000;

/** The pages on the Hosting emulator, with the function and Firebase Auth behind them. */
describeWithEmulators('the dashboard, hosted', (current) => {
  describeInBrowser('in a browser', (open) => {
    const keys = (page: Page) => page.getByRole('heading', { name: 'API keys', level: 1 });
    /** The page that users come to. */
    const first = (page: Page) => page.getByRole('heading', { name: 'Playground', level: 1 });

    /** The newest link that was sent to an address. */
    const linkTo = async (email: string): Promise<string> => {
      const response = await fetch(`${current().authUrl}/emulator/v1/projects/${PROJECT}/oobCodes`);
      const { oobCodes } = (await response.json()) as { oobCodes: { email: string; oobLink: string }[] };
      return oobCodes.findLast((sent) => sent.email === email)?.oobLink ?? '';
    };

    const askForLink = async (page: Page, email: string): Promise<string> => {
      await page.goto(current().pagesUrl);
      await page.getByRole('textbox', { name: 'E-mail address' }).fill(email);
      await page.getByRole('button', { name: 'Send a link by e-mail' }).click();
      await page.getByRole('heading', { name: 'Look into your e-mail' }).waitFor();
      return linkTo(email);
    };

    /** Lets the sign-in of the demo user be of an hour ago, for Firebase and for this browser. */
    const age = async (context: BrowserContext): Promise<void> => {
      const path = `identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:update`;
      const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' };
      const lastLoginAt = Date.now() - HOUR_MS;
      // A sign-in from before tokens count from would be taken for one that was ended.
      const validSince = Math.floor(lastLoginAt / 1_000) - 1;
      const user = { localId: 'demo', lastLoginAt: String(lastLoginAt), validSince: String(validSince) };
      const body = JSON.stringify(user);
      expect((await fetch(`${current().authUrl}/${path}`, { method: 'POST', headers, body })).status).toBe(200);
      // A page whose time is two hours later asks for a new token, which tells of the old sign-in, and keeps it.
      const later = await context.newPage();
      await later.clock.install({ time: Date.now() + 2 * HOUR_MS });
      await later.goto(`${current().pagesUrl}/keys`);
      await keys(later).waitFor();
      await later.close();
    };

    const userIdOf = async (email: string): Promise<string> => {
      const path = `identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:lookup`;
      const headers = { authorization: 'Bearer owner', 'content-type': 'application/json' };
      const body = JSON.stringify({ email: [email] });
      const response = await fetch(`${current().authUrl}/${path}`, { method: 'POST', headers, body });
      const { users } = (await response.json()) as { users: [{ localId: string }] };
      return users[0].localId;
    };

    /** The one subscription of a user, as Stripe's extension writes it. */
    const stripeSubscription = (userId: string) => {
      const path = `projects/${PROJECT}/databases/(default)/documents/customers/${userId}/subscriptions/sub_1`;
      const price = { price: { mapValue: { fields: { id: { stringValue: 'price_pro' } } } } };
      const write = async (status: string): Promise<void> => {
        const fields = {
          status: { stringValue: status },
          created: { timestampValue: '2026-01-01T00:00:00Z' },
          items: { arrayValue: { values: [{ mapValue: { fields: price } }] } },
        };
        const response = await fetch(`http://127.0.0.1:${current().firestorePort}/v1/${path}`, {
          method: 'PATCH',
          headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
          body: JSON.stringify({ fields }),
        });
        expect(response.status).toBe(200);
      };
      return { write };
    };

    /** Shows the page as it is now: the trigger comes some time after the document. */
    const reload = async (page: Page): Promise<void> => {
      await page.reload();
      await page
        .getByRole('button', { name: 'Create key' })
        .or(page.getByRole('region', { name: 'Keys come with Pro' }))
        .first()
        .waitFor();
    };

    /** What the API says to a key. */
    const statusOf = async (key: string): Promise<number> => {
      const [, baseUrl = ''] = /^Base URL: +(\S+)$/m.exec(current().output()) ?? [];
      return (await fetch(`${baseUrl}/models`, { headers: { authorization: `Bearer ${key}` } })).status;
    };

    it('signs in with a link by e-mail, whose code does not stay in the address, and out again', async () => {
      const { page } = await open();
      await page.goto(await askForLink(page, EMAIL));
      await first(page).waitFor();
      expect(page.url()).toBe(`${current().pagesUrl}/play`);
      await page.reload();
      await first(page).waitFor();
      await page.getByRole('button', { name: /account and theme/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    it('asks for a fresh sign-in where that is old, then makes the key by itself, which works', async () => {
      const { page, context } = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
      await page.goto(await askForLink(page, EMAIL));
      await first(page).waitFor();
      await age(context);
      await page.goto(`${current().pagesUrl}/keys`);
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByLabel('Name').fill('hosted');
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      const confirm = page.getByRole('dialog', { name: 'Confirm that it is you' });
      await confirm.getByRole('button', { name: 'Send a link by e-mail' }).click();
      await confirm.getByText('Open it in this browser').waitFor();
      const mail = await context.newPage();
      await mail.goto(await linkTo(EMAIL));
      await first(mail).waitFor();
      await page.getByRole('heading', { name: 'Your new key “hosted”' }).waitFor();

      const key = await page.getByLabel('The new key').inputValue();
      const [, baseURL = ''] = /^Base URL: +(\S+)$/m.exec(current().output()) ?? [];
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
      await elsewhere.page.goto(await askForLink(elsewhere.page, EMAIL));
      await first(elsewhere.page).waitFor();
      await page.goto(await askForLink(page, EMAIL));
      await first(page).waitFor();
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
      await there.page.getByRole('heading', { name: 'Which address was it?' }).waitFor();
      const answer = async (email: string) => {
        await there.page.getByRole('textbox', { name: 'E-mail address' }).fill(email);
        await there.page.getByRole('button', { name: 'Sign in' }).click();
      };
      await answer('other@example.com');
      await there.page.getByRole('alert').getByText('not the address that the link was sent to').waitFor();
      await answer(EMAIL);
      await first(there.page).waitFor();
    });

    it('follows the documents of Stripe’s extension: keys come with the plan and are refused without it', async () => {
      const user = await open();
      await user.page.goto(await askForLink(user.page, 'paying@example.com'));
      await first(user.page).waitFor();
      await user.page.goto(`${current().pagesUrl}/keys`);
      const noPlan = user.page.getByRole('region', { name: 'Keys come with Pro' });
      const create = user.page.getByRole('button', { name: 'Create key' });
      await noPlan.waitFor();
      expect(await create.count()).toBe(0);

      const subscription = stripeSubscription(await userIdOf('paying@example.com'));
      await subscription.write('active');
      while ((await create.count()) === 0) await reload(user.page);
      await create.click();
      await user.page.getByLabel('Name').fill('paid');
      await user.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
      const key = await user.page.getByLabel('The new key').inputValue();
      expect(await statusOf(key)).toBe(200);

      await subscription.write('canceled');
      while ((await noPlan.count()) === 0) await reload(user.page);
      await noPlan.getByText('Your keys are refused').waitFor();
      expect(await create.count()).toBe(0);
      expect(await statusOf(key)).toBe(403);
    });

    it('says of a link that was used before what to do', async () => {
      const [{ page }, other] = [await open(), await open()];
      const link = await askForLink(page, EMAIL);
      await page.goto(link);
      await first(page).waitFor();
      await askForLink(other.page, EMAIL);
      await other.page.goto(link);
      await other.page.getByRole('alert').getByText('Ask for a new one').waitFor();
      await other.page.getByRole('button', { name: 'Send a link by e-mail' }).waitFor();
    });

    it('has the reference and its description, and no API for programs: that would be without streams', async () => {
      const { page } = await open();
      await page.goto(`${current().pagesUrl}/docs`);
      await page.getByRole('heading', { name: /Ensemble API/ }).waitFor();
      const status = async (path: string) => (await fetch(`${current().pagesUrl}${path}`)).status;
      expect(await status('/v1/openapi.json')).toBe(200);
      expect(await status('/healthz')).toBe(200);
      expect(await status('/v1/models')).toBe(404);
      expect(await status('/dashboard/keys')).toBe(401);
    });
  });
});
