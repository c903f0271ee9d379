import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContextOptions } from 'playwright-core';
import type { App } from '../../../functions/test/support/app';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { hostSession } from '../support/hosted-session';
import { startRouter } from '../support/router';
import { ROUTER_MODELS, seedAccount } from './seed-account';

const IMAGES = join(__dirname, '../../../docs/images');
/** Pages as the documents show them. */
const SHOWN: readonly (readonly [name: string, look: string])[] = [
  ['play', 'light'],
  ['keys', 'light'],
  ['keys', 'dark'],
  ['keys', 'phone'],
  ['usage', 'light'],
  ['usage', 'dark'],
  ['models', 'light'],
];
const WIDE = { width: 1200, height: 760 };
const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  light: { colorScheme: 'light', viewport: WIDE },
  dark: { colorScheme: 'dark', viewport: WIDE },
  phone: {
    colorScheme: 'light',
    viewport: { width: 390, height: 760 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
  },
};

/** Not a test: `npm run screenshots` makes the images of the documents with it. */
describeInBrowser('the images of the documents', (open) => {
  let app: App;
  let router: Awaited<ReturnType<typeof startRouter>>;
  beforeAll(async () => {
    mkdirSync(IMAGES, { recursive: true });
    router = await startRouter(ROUTER_MODELS);
    app = await startDashboard({ env: { ...router.env, PUBLIC_BASE_URL: 'https://api.example.com/v1' } });
    await seedAccount(app);
  });
  afterAll(async () => {
    await app.close();
    await router[Symbol.asyncDispose]();
  });

  it('sign-in, light', async () => {
    const { page } = await open({ ...LOOKS['light'], reducedMotion: 'reduce' });
    await hostSession(page, app);
    await page.goto(`${app.baseUrl}/sign-in`);
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor();
    await page.screenshot({ path: join(IMAGES, 'sign-in-light.png'), animations: 'disabled' });
  });

  it.each(SHOWN)('%s, %s', async (name, look) => {
    const { page } = await open({ ...LOOKS[look], reducedMotion: 'reduce' });
    await page.clock.install({ time: app.clock.nowMs() });
    await page.goto(`${app.baseUrl}/${name}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.clock.runFor(1_000);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(IMAGES, `${name}-${look}.png`), animations: 'disabled' });
  });
});
