import type { Page } from 'playwright-core';
import { errorBody, refuse } from '../../../functions/src/errors';
import { describeInBrowser } from '../support/browser';
import { startEmptyDashboard } from '../support/embedded';
import { EMAIL, hostSession, LINK } from '../support/hosted-session';

const REFUSAL = refuse('app_check_required');
const REQUEST_ID = 'c0ffee'.padEnd(32, '0');

/** Firebase's SDK of App Check as it is, beside a reCAPTCHA that passes and a service that gives out token after token. */
async function knowApp(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let given = 0;
    const { fetch } = window;
    const grecaptcha = {
      ready: (then: () => void) => then(),
      render: (_: unknown, { callback }: { callback?: () => void }) => {
        callback?.();
        return 'widget';
      },
      execute: async () => 'passed',
    };
    Object.assign(window, {
      grecaptcha: { ...grecaptcha, enterprise: grecaptcha },
      fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
        const url = input instanceof Request ? input.url : String(input);
        if (!url.includes('firebaseappcheck')) return fetch(input, init);
        given += 1;
        return Response.json({ token: `token ${given}`, ttl: '3600s' });
      },
    });
  });
  await page.route('**/dashboard/config.json', async (route) => {
    const firebase = { apiKey: 'key', authDomain: '127.0.0.1', projectId: 'demo', appId: 'app' };
    const authEmulatorUrl = new URL(route.request().url()).origin;
    await route.fulfill({ json: { mode: 'firebase', firebase, authEmulatorUrl, appCheckSiteKey: 'site' } });
  });
}

describeInBrowser('a page that App Check is to vouch for', (open) => {
  /** Opens the page of the plan, signed in; of the tokens of App Check the server takes the one that is `good`. */
  async function openPlan(page: Page, good: string): Promise<string[]> {
    const sent: string[] = [];
    await page.route('**/dashboard/plan', async (route) => {
      const token = route.request().headers()['x-firebase-appcheck'] ?? 'none';
      sent.push(token);
      if (token === good) return route.fallback();
      const { code, text } = REFUSAL;
      await route.fulfill({ status: 403, json: errorBody(code, text), headers: { 'x-request-id': REQUEST_ID } });
    });
    await page.getByLabel('E-mail address').fill(EMAIL);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Plan', exact: true }).click();
    await page.getByRole('heading', { name: 'Plan', level: 1 }).waitFor();
    return sent;
  }

  it('gets a new token where the server refuses the old one, and asks again by itself', async () => {
    await using app = await startEmptyDashboard();
    const { page } = await open();
    await hostSession(page, app);
    await knowApp(page);
    await page.goto(app.baseUrl + LINK);
    const sent = await openPlan(page, 'token 2');
    await page.getByText('No plan').first().waitFor();
    expect(new Set(sent)).toEqual(new Set(['token 1', 'token 2']));
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
