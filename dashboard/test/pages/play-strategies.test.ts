import type { Page } from 'playwright-core';
import { STRATEGY_NAMES } from '../../../functions/src/ensemble/strategies/strategies';
import { systemClock } from '../../../functions/src/lib/clock';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { type Saying, toldModels } from '../support/told-models';

/** Ada and Dissenter write, Unreliable fails for good, and nobody reads a text of the arbiter's that is not its answer. */
const SAYINGS: Record<string, Saying> = { 'demo-unreliable': [{ fault: 'not_found' }] };
const ANSWER = 'A tomato is a berry, and so a fruit.';

interface KeptRun {
  readonly state: string;
  readonly events: readonly { readonly type: string; readonly call?: string }[];
}

/** Begins a run as the page does, and reads it to its end; resolves with its id. */
async function play(page: Page, ensemble: object): Promise<string> {
  return page.evaluate(async (ai_ensemble) => {
    const response = await fetch('/dashboard/runs', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-dashboard': '1' },
      body: JSON.stringify({
        model: 'demo-ada',
        messages: [{ role: 'user', content: 'Is a tomato a fruit?' }],
        ai_ensemble,
      }),
    });
    await response.text();
    return response.headers.get('x-request-id') ?? '';
  }, ensemble);
}

describeInBrowser('a run of each strategy, in which one participant fails', (open) => {
  it('is shown with what the failure means, all its steps, and the answer that the server keeps', async () => {
    const models = toldModels(({ providerModel, purpose }) =>
      purpose === 'answer' ? [ANSWER] : (SAYINGS[providerModel] ?? [`${providerModel} says it is a fruit.`]),
    );
    await using app = await startDashboard({ provider: models.provider, clock: systemClock });
    const { page } = await open();
    page.setDefaultTimeout(20_000);
    await page.goto(`${app.baseUrl}/play`);
    for (const strategy of STRATEGY_NAMES) {
      const id = await play(page, { strategy, models: ['demo-ada', 'demo-unreliable', 'demo-dissenter'], rounds: 2 });
      await page.goto(`${app.baseUrl}/play/${id}`);
      await page.getByText('Complete', { exact: true }).first().waitFor();
      const kept: KeptRun = await page.evaluate(async (run) => {
        const path = `/dashboard/runs/${run}`;
        const [about, trace] = await Promise.all([fetch(path), fetch(`${path}/events`)]);
        const data = (await trace.text()).split('\n').filter((line) => line.startsWith('data: '));
        return { ...(await about.json()), events: data.map((line) => JSON.parse(line.slice('data: '.length))) };
      }, id);
      const answer = page.getByRole('region', { name: 'Answer of the ensemble' }).getByRole('tabpanel');
      expect([strategy, await answer.textContent()]).toEqual([strategy, expect.stringContaining(ANSWER)]);
      const failed = page.getByRole('article', { name: /Demo Unreliable/ });
      await failed.getByText('Failed: not found').first().waitFor();
      await failed.getByRole('button', { expanded: false }).click();
      await failed.getByText('The answer was made from 2 of 3 participants.').waitFor();
      await page.getByRole('button', { name: 'The timeline as a table' }).click();
      const rows = page.getByRole('region', { name: 'Calls of the run' }).getByRole('row');
      const calls = new Set(kept.events.filter(({ type }) => type === 'call').map(({ call }) => call));
      expect([strategy, kept.state, await rows.count()]).toEqual([strategy, 'complete', calls.size + 1]);
      expect(calls.size).toBeGreaterThan(3);
      expect(kept.events[0]).toMatchObject({ type: 'run', strategy });
    }
  });
});
