import { describeWithEmulators } from '../../../functions/test/function/firebase-emulators';
import { describeInBrowser } from '../support/browser';
import { firstPage, hostedPages } from './hosted-pages';

const EMAIL = 'ada@example.com';

/** The pages as the Firebase CLI alone starts them, with nothing that our script adds. */
describeWithEmulators(
  'the dashboard under firebase emulators:start',
  (current) => {
    describeInBrowser('in a browser', (open) => {
      it('signs users in, and names the address of the page as that of the API, which answers there', async () => {
        const { signIn, pagesUrl } = hostedPages(current, open);
        const { page } = await open();
        await signIn(page, EMAIL);
        expect(page.url()).toBe(`${pagesUrl()}/play`);
        expect(await firstPage(page).isVisible()).toBe(true);
        const config = await fetch(`${pagesUrl()}/dashboard/config.json`);
        expect(await config.json()).not.toHaveProperty('apiBaseUrl');
        expect((await fetch(`${pagesUrl()}/v1/models`)).status).toBe(401);
      });
    });
  },
  'firebase emulators:start',
);
