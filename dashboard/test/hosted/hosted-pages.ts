import type { Page } from 'playwright-core';
import type { FirebaseEmulators } from '../../../functions/test/function/firebase-emulators';
import type { OpenPage } from '../support/browser';

export const PROJECT = 'demo-ensemble';
/** The address of the demo user, who has the Pro plan. */
export const EMAIL = 'demo@example.com';
/** The header by which the emulators know an administrator of the project. */
export const OWNER = { authorization: 'Bearer owner', 'content-type': 'application/json' };

/** The hosted pages, and what their users and an administrator do with them. */
export type HostedPages = ReturnType<typeof hostedPages>;

/** For tests that share the emulators. */
export function hostedPages(current: () => FirebaseEmulators, open: OpenPage) {
  /** The base URL of the function itself. */
  const baseUrl = (): string => /^Base URL: +(\S+)$/m.exec(current().output())?.[1] ?? '';

  /** Asks Firebase Auth for something of an account, as an administrator. */
  const accounts = async (action: string, body: object): Promise<unknown> => {
    const url = `${current().authUrl}/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:${action}`;
    const response = await fetch(url, { method: 'POST', headers: OWNER, body: JSON.stringify(body) });
    expect(response.status).toBe(200);
    return response.json();
  };

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
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor();
    return linkTo(email);
  };

  const signIn = async (page: Page, email: string): Promise<void> => {
    await page.goto(await askForLink(page, email));
    await firstPage(page).waitFor();
  };

  return {
    open,
    current,
    baseUrl,
    accounts,
    linkTo,
    askForLink,
    signIn,
    pagesUrl: () => current().pagesUrl,
  };
}

/** The page that users come to. */
export const firstPage = (page: Page) => page.getByRole('heading', { name: 'Playground', level: 1 });
