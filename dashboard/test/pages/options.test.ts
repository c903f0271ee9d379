import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { keptRequestOf } from '../support/kept-request';

describeInBrowser('the options of a run', (open) => {
  it('take system prompt, temperature, top P and length, say at the field what is wrong, and are sent', async () => {
    await using app = await startDashboard();
    const opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    page.setDefaultTimeout(20_000);
    await page.goto(`${app.baseUrl}/play`);
    await page.getByRole('textbox', { name: 'Prompt' }).fill('Is a tomato a fruit?');
    await page.getByRole('button', { name: 'Instructions' }).click();
    await page.getByLabel('System message').fill('In rhymes.');
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Top P').fill('0.9');
    await page.getByLabel('Words, at most').fill('80');
    await page.getByLabel('Temperature').fill('2.5');
    await page.getByText('Write a number from 0 to 2.', { exact: true }).waitFor();
    await page.getByText('Options, Temperature: Write a number from 0 to 2.').waitFor();
    expect(await page.getByLabel('Temperature').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true);
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);
    await page.getByLabel('Temperature').fill('0.5');
    await page.getByRole('button', { name: 'Run', exact: true, disabled: false }).click();
    await page.waitForURL(/\/play\/\w+$/);
    expect(await keptRequestOf(app, page)).toMatchObject({
      messages: [{ role: 'system', content: 'In rhymes.' }, { role: 'user' }],
      temperature: 0.5,
      top_p: 0.9,
      ai_ensemble: { checks: { maxWords: 80 } },
    });
  });
});
