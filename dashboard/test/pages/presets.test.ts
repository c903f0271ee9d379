import { axeViolationsInAllLooks } from '../support/axe';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';
import { sidewaysScroll } from '../support/sideways-scroll';

describeInBrowser('presets', (open) => {
  it('are saved under names with the account, used in another browser, replaced, deleted and had back', async () => {
    await using app = await startDashboard();
    const opened = await open({ reducedMotion: 'reduce' });
    const { page } = opened;
    page.setDefaultTimeout(20_000);
    const dialog = page.getByRole('dialog', { name: 'Presets' });
    const strategies = page.getByRole('radiogroup', { name: 'Strategy' });
    await page.goto(`${app.baseUrl}/play`);
    await strategies.getByText('Debate', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove Demo Dissenter' }).click();
    await page.getByRole('button', { name: 'Instructions' }).click();
    await page.getByLabel('System message').fill('Answer in rhymes.');
    await page.getByRole('button', { name: 'Presets' }).click();
    await dialog.getByLabel('Save the present set-up as').fill('Poets / <b>');
    await page.keyboard.press('Enter');
    await dialog.getByText('“Poets / <b>” is saved.').waitFor();
    await dialog.getByRole('button', { name: 'Poets / <b> Debate, 3 participants' }).waitFor();
    await dialog.getByLabel('Save the present set-up as').fill('Poets / <b>');
    await dialog.getByRole('button', { name: 'Replace' }).waitFor();
    expect(await axeViolationsInAllLooks(opened)).toEqual([]);

    const { page: other } = await open();
    const sheet = other.getByRole('dialog', { name: 'Presets' });
    await other.goto(`${app.baseUrl}/play`);
    await other.getByRole('textbox', { name: 'Prompt' }).fill('Why is the sky blue?');
    await other.getByRole('button', { name: 'Presets' }).press('Enter');
    await sheet.getByRole('button', { name: /^Poets/ }).press('Enter');
    await sheet.waitFor({ state: 'detached' });
    expect(await other.getByRole('radio', { name: 'Debate' }).isChecked()).toBe(true);
    expect(await other.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('Why is the sky blue?');
    await other.getByRole('button', { name: 'Instructions (1)' }).click();
    expect(await other.getByLabel('System message').inputValue()).toBe('Answer in rhymes.');
    await other.getByRole('button', { name: 'Presets' }).click();
    await sheet.getByRole('button', { name: 'Delete Poets' }).click();
    await sheet.getByRole('button', { name: /^Poets/ }).waitFor({ state: 'detached' });
    await sheet.getByRole('button', { name: 'Undo' }).click();
    await sheet.getByRole('button', { name: /^Poets .* Debate, 3 participants/ }).waitFor();
    await sheet.getByRole('button', { name: /^The suggested set-up/ }).click();
    expect(await other.getByRole('radio', { name: 'Competitive refinement' }).isChecked()).toBe(true);
    expect(await other.getByRole('button', { name: 'Remove Demo Dissenter' }).count()).toBe(1);
  });

  it('fit into their dialog, and the set-up into its page, whatever long word stands in a name', async () => {
    await using app = await startDashboard();
    const { page } = await open({ reducedMotion: 'reduce' });
    page.setDefaultTimeout(20_000);
    const unknown = `<b>/${'m'.repeat(190)}`;
    await page.goto(`${app.baseUrl}/play#prompt=Why&arbiter=demo-ada&participants=["${unknown}"]`);
    await page.getByText('Unknown model').waitFor();
    expect(await sidewaysScroll(page)).toBe(0);
    await page.getByRole('button', { name: 'Presets' }).click();
    const dialog = page.getByRole('dialog', { name: 'Presets' });
    await dialog.getByLabel('Save the present set-up as').fill('W'.repeat(80));
    await page.keyboard.press('Enter');
    await dialog.getByText('is saved.').waitFor();
    const hidden = await dialog.evaluate(({ parentElement: sheet }) =>
      sheet ? sheet.scrollWidth - sheet.clientWidth : 1,
    );
    expect(hidden).toBe(0);
  });
});
