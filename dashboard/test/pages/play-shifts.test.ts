import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { systemClock } from '../../../functions/src/lib/clock';
import type { ModelProvider } from '../../../functions/src/models/model';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { shiftsOf, watchShifts } from '../support/layout-shifts';

const FOLLOW_UP = 'And a cucumber?';
const SHIFT_MAX = 0.1;
const PIECE_MS = 12;
const PARTICIPANTS = 16;
const DEMO = ['demo-ada', 'demo-blaise', 'demo-curie', 'demo-dissenter'];
const SENTENCE = 'A tomato is the ripe ovary of a flower, with the seeds in it, and so a fruit. ';

/**
 * Models that write as they do: in pieces that the page draws one after the other, some more and some less, and something
 * else each time, so that no round is left out.
 */
const writer = (calls = { made: 0 }): ModelProvider => ({
  run: async ({ providerModel, purpose }, listener) => {
    calls.made += 1;
    await listener.text(`Thought ${calls.made}. `);
    const sentences = purpose === 'answer' ? 24 : 3 + (providerModel.length % 4) * 3;
    for (let at = 0; at < sentences; at += 1) {
      await pause(PIECE_MS);
      await listener.text(at % 4 === 3 ? `${SENTENCE}\n\n- one\n- two\n\n` : SENTENCE);
    }
    listener.usage({ promptTokens: 20, completionTokens: 10 * sentences });
    return 'stop';
  },
});

/** The panels: as suggested; three models over two rounds; as many as there may be. */
const PANELS: readonly (readonly [string, object | undefined])[] = [
  ['the suggested panel', undefined],
  ['three models over two rounds', { models: DEMO.slice(0, 3), rounds: 2 }],
  [
    '16 participants over 10 rounds',
    { models: Array.from({ length: PARTICIPANTS }, (_, at) => DEMO[at % 4]), rounds: 10 },
  ],
];

/** Has the page ask these models, whatever its form says. */
async function ask(page: Page, ensemble: object | undefined): Promise<void> {
  if (!ensemble) return;
  await page.route('**/dashboard/runs', async (route) => {
    const body: { readonly ai_ensemble: object } = route.request().postDataJSON();
    await route.continue({ postData: { ...body, ai_ensemble: { ...body.ai_ensemble, ...ensemble } } });
  });
}

describeInBrowser('the page of a run while models write', (open) => {
  describe.each(PANELS)('%s', (_, ensemble) => {
    it.each([
      ['a desk', { width: 1440, height: 900 }],
      ['a phone', { width: 390, height: 844 }],
    ])('moves by no more than a tenth in all, from Run to the end, on %s', async (_place, viewport) => {
      await using app = await startDashboard({ provider: writer(), clock: systemClock });
      const { page } = await open({ viewport });
      page.setDefaultTimeout(25_000);
      await page.goto(`${app.baseUrl}/play`);
      await ask(page, ensemble);
      await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
      await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
      await watchShifts(page);
      await page.keyboard.press('Control+Enter');
      await page.getByText('Complete', { exact: true }).first().waitFor();
      await page.getByRole('button', { name: 'Copy Markdown' }).waitFor();
      const { sum, most } = await shiftsOf(page);
      expect([sum <= SHIFT_MAX, sum, most]).toEqual([true, sum, most]);
    });
  });

  it.each([
    ['a desk', { width: 1440, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ])('moves by no more than a tenth in all when a conversation goes on, on %s', async (_place, viewport) => {
    await using app = await startDashboard({ provider: writer(), clock: systemClock });
    const { page } = await open({ viewport });
    page.setDefaultTimeout(25_000);
    await page.goto(`${app.baseUrl}/play`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('textbox', { name: 'Your next message' }).fill(FOLLOW_UP);
    await page.getByRole('button', { name: 'Ask', exact: true, disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('region', { name: 'What was asked' }).getByText(FOLLOW_UP).waitFor();
    await watchShifts(page);
    await page.getByRole('button', { name: 'Copy Markdown' }).waitFor();
    const { sum, most } = await shiftsOf(page);
    expect([sum <= SHIFT_MAX, sum, most]).toEqual([true, sum, most]);
  });
});
