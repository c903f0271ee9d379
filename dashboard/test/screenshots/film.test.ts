import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import { createDemoProvider } from '../../../functions/src/providers/demo/demo';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { film } from './film';

const IMAGES = join(__dirname, '../../../docs/images');
const BYTES_MAX = 3_000_000;
const FILM_MAX_MS = 90_000;

/** Not a test: `npm run screenshots` makes the film of the README with it, of a run with the demo models. */
describeInBrowser('the film of the playground', (open) => {
  it(
    'shows a run from its prompt to its verdict and its judges',
    async () => {
      mkdirSync(IMAGES, { recursive: true });
      const app = await startDashboard({ clock: systemClock, provider: createDemoProvider(systemClock) });
      const { page } = await open({ colorScheme: 'light', viewport: { width: 1120, height: 700 } });
      await page.goto(`${app.baseUrl}/play`);
      await page.getByText('Is a tomato a fruit?').waitFor();
      const bytes = await film(page, () => showRun(page));
      expect(bytes.length).toBeLessThan(BYTES_MAX);
      writeFileSync(join(IMAGES, 'playground.webp'), bytes);
      await app.close();
    },
    2 * FILM_MAX_MS,
  );
});

/**
 * Shows a run as slowly as somebody looks at it: the question, the panel at work, the answer above the drafts, and the
 * judges' scores of the candidates.
 */
async function showRun(page: Page): Promise<void> {
  const look = (ms: number): Promise<void> => page.waitForTimeout(ms);
  await look(1_500);
  await page.getByText('Is a tomato a fruit?').click();
  await look(1_500);
  await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).click();
  await page.getByText('Complete', { exact: true }).first().waitFor({ timeout: FILM_MAX_MS });
  await look(2_000);
  await page
    .getByRole('button', { name: /^Answer/ })
    .first()
    .click();
  await look(7_000);
  await page.getByRole('tab', { name: 'Why' }).click();
  await look(5_000);
  await page.getByRole('tab', { name: 'Who said what' }).click();
  await look(4_000);
  await page.getByRole('tab', { name: 'Evaluate' }).click();
  await look(1_500);
  await page.getByRole('button', { name: 'Add judges' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add judges' });
  for (const name of ['Demo Blaise', 'Demo Dissenter']) {
    await dialog.getByRole('option', { name }).click();
    await look(500);
  }
  await dialog.getByRole('button', { name: 'Add 2 models' }).click();
  await look(1_000);
  await page.getByRole('button', { name: 'Evaluate', exact: true }).click();
  await page
    .getByRole('region', { name: 'Overall, of 10' })
    .getByText(/differ by/)
    .first()
    .waitFor();
  await page.mouse.wheel(0, 500);
  await look(7_500);
}
