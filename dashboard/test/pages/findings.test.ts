import { systemClock } from '../../../functions/src/lib/clock';
import { shownTo } from '../../../functions/test/support/played-run';
import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { sidewaysScroll } from '../support/sideways-scroll';
import { toldModels } from '../support/told-models';

const DRAFTS = { 'demo-ada': 'It is a fruit.', 'demo-dissenter': 'It is a vegetable.' };
const HOSTILE = `<img src=x onerror="throw 1"> ${'w'.repeat(300)} “quoted”`;
const PHONE = { width: 390, height: 800 };

describeInBrowser('what the arbiter found', (open) => {
  it('is shown point by point under who said what, with marks, by keyboard, on a phone and from a kept run', async () => {
    const models = toldModels((call) => {
      if (call.purpose === 'draft') return [DRAFTS[call.providerModel as keyof typeof DRAFTS]];
      if (call.purpose !== 'analyse') return ['It is a berry.'];
      const label = shownTo(call).find(({ text }) => text === DRAFTS['demo-dissenter'])?.title;
      const found = {
        agreements: ['It is red.', HOSTILE],
        conflicts: [{ point: 'Is it sweet?', why: 'Cooks say so', ruling: 'No.' }],
        unique: [
          { label, point: 'Nix v. Hedden, 1893.', mark: 'likely invented' },
          { label: '', point: 'It floats.', mark: 'plausible' },
        ],
        rationale: 'r',
      };
      return [JSON.stringify(found)];
    });
    await using app = await startDashboard({ provider: models.provider, clock: systemClock });
    const opened = await open({ reducedMotion: 'reduce', viewport: PHONE });
    const { page } = opened;
    page.setDefaultTimeout(20_000);
    await page.goto(`${app.baseUrl}/play`);
    const id = await page.evaluate(async () => {
      const messages = [{ role: 'user', content: 'Is a tomato a fruit?' }];
      const ai_ensemble = { models: ['demo-ada', 'demo-dissenter'], includeReasoning: true };
      const response = await fetch('/dashboard/runs', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-dashboard': '1' },
        body: JSON.stringify({ model: 'demo-ada', messages, ai_ensemble }),
      });
      await response.text();
      return response.headers.get('x-request-id') ?? '';
    });
    await page.goto(`${app.baseUrl}/play/${id}`);
    await page.getByText('Complete', { exact: true }).first().waitFor();
    await page.getByRole('tab', { name: 'Answer' }).focus();
    for (const _ of ['Why', 'Who said what']) await page.keyboard.press('ArrowRight');
    const found = page.getByRole('region', { name: 'What the arbiter found' });
    await found.waitFor();
    expect(await found.getByRole('heading').allTextContents()).toEqual([
      'Agreed',
      'Conflicts, and what the arbiter holds right',
      'Only one says',
    ]);
    expect(await found.getByRole('listitem').allTextContents()).toEqual([
      'It is red.',
      HOSTILE,
      'Is it sweet?No. (Cooks say so)',
      'BDemo Dissenter: Nix v. Hedden, 1893.likely invented',
      'One of them: It floats.plausible',
    ]);
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
  });
});
