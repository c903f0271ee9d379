import type { Subscription } from '../store/store';

const PAID_STATUSES: ReadonlySet<string> = new Set(['active', 'trialing']);

/** Whether a subscription opens the API: tier `pro`, status `active` or `trialing` (spec "Authentication" 5). */
export function isActivePro(subscription: Subscription | undefined): boolean {
  return subscription?.tier === 'pro' && PAID_STATUSES.has(subscription.status);
}
