import type { Page } from 'playwright-core';
import { type HostedPages, OWNER, PROJECT } from './hosted-pages';

/** The rights of users follow the documents of the billing system. */
export function planTests({ open, current, pagesUrl, signIn, userIdOf, statusOf }: HostedPages): void {
  /** The one subscription of a user, as Stripe's extension writes it. */
  const stripeSubscription = (userId: string) => {
    const path = `projects/${PROJECT}/databases/(default)/documents/customers/${userId}/subscriptions/sub_1`;
    const price = { price: { mapValue: { fields: { id: { stringValue: 'price_pro' } } } } };
    const write = async (status: string): Promise<void> => {
      const fields = {
        status: { stringValue: status },
        created: { timestampValue: '2026-01-01T00:00:00Z' },
        items: { arrayValue: { values: [{ mapValue: { fields: price } }] } },
      };
      const url = `http://127.0.0.1:${current().firestorePort}/v1/${path}`;
      const response = await fetch(url, { method: 'PATCH', headers: OWNER, body: JSON.stringify({ fields }) });
      expect(response.status).toBe(200);
    };
    return { write };
  };

  /** Shows the page as it is now: the trigger comes some time after the document. */
  const reload = async (page: Page): Promise<void> => {
    await page.reload();
    await page
      .getByRole('button', { name: 'Create key' })
      .or(page.getByRole('region', { name: 'Keys come with Pro' }))
      .first()
      .waitFor();
  };

  it('follows the documents of Stripe’s extension: keys come with the plan and are refused without it', async () => {
    const user = await open();
    await signIn(user.page, 'paying@example.com');
    await user.page.goto(`${pagesUrl()}/keys`);
    const noPlan = user.page.getByRole('region', { name: 'Keys come with Pro' });
    const create = user.page.getByRole('button', { name: 'Create key' });
    await noPlan.waitFor();
    expect(await create.count()).toBe(0);

    const subscription = stripeSubscription(await userIdOf('paying@example.com'));
    await subscription.write('active');
    while ((await create.count()) === 0) await reload(user.page);
    await create.click();
    await user.page.getByLabel('Name').fill('paid');
    await user.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    const key = await user.page.getByLabel('The new key').inputValue();
    expect(await statusOf(key)).toBe(200);

    await subscription.write('canceled');
    while ((await noPlan.count()) === 0) await reload(user.page);
    await noPlan.getByText('Your keys are refused').waitFor();
    expect(await create.count()).toBe(0);
    expect(await statusOf(key)).toBe(403);
  });
}
