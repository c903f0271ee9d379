import { LOCAL_USER } from '../../../functions/test/support/dashboard';
import { describeInBrowser } from '../support/browser';
import { startDashboard } from '../support/embedded';

const BUDGET_NANO_USD = 5_000_000_000;

describeInBrowser('the page of the plan', (open) => {
  it('says what Pro allows, what of this month is spent, and when it begins anew', async () => {
    await using app = await startDashboard();
    await app.container.store.setUserBudget(LOCAL_USER, BUDGET_NANO_USD);
    const { page } = await open();
    await page.goto(`${app.baseUrl}/plan`);
    const plan = page.getByRole('region', { name: 'Pro', exact: true });
    await plan.getByText('Active', { exact: true }).waitFor();
    expect(await plan.textContent()).toContain('Yes, 30 requests a minute in all');
    const month = page.getByRole('region', { name: 'This month' });
    expect(await month.getByRole('meter', { name: 'Spent' }).getAttribute('aria-valuetext')).toBe(
      '$0.00 of your budget of $5.00, $5.00 left',
    );
    expect(await month.textContent()).toContain('Feb 1, 2026');
    expect(await page.getByRole('region', { name: 'What Pro gives' }).count()).toBe(0);
  });

  it('says what a status means that lets nobody in, and how Pro is got', async () => {
    await using app = await startDashboard();
    await app.clock.advance(1);
    await app.user(LOCAL_USER, 'byok', 'past_due');
    const { page } = await open({ viewport: { width: 360, height: 720 } });
    await page.goto(`${app.baseUrl}/plan`);
    const plan = page.getByRole('region', { name: 'Bring your own key', exact: true });
    await plan.getByText('Payment is late', { exact: true }).waitFor();
    expect(await plan.textContent()).toContain('No, they come with Pro');
    expect(await page.getByRole('meter', { name: 'Token grant' }).getAttribute('aria-valuetext')).toBe(
      '0 of 300,000 tokens, 300,000 left',
    );
    await page.getByRole('region', { name: 'What Pro gives' }).getByText(`--user ${LOCAL_USER} --tier pro`).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });

  it('tells what was done, a few acts at first and more when asked', async () => {
    await using app = await startDashboard();
    for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']) {
      await app.newKey(LOCAL_USER, name);
    }
    const { page } = await open();
    await page.goto(`${app.baseUrl}/plan`);
    const acts = page.getByRole('region', { name: 'Recent activity' }).getByRole('listitem');
    await acts.filter({ hasText: 'Created the key “eight”' }).waitFor();
    expect(await acts.count()).toBe(8);
    await page.getByRole('button', { name: 'Show more' }).click();
    await acts.filter({ hasText: `Created the key “${LOCAL_USER}-key”` }).waitFor();
    expect(await acts.count()).toBe(9);
    expect(await acts.first().textContent()).toMatch(/You.*key_/);
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  });
});
