import type { Subscription } from '../store/store';

const PAID_STATUSES: ReadonlySet<string> = new Set(['active', 'trialing']);

/** Whether a subscription opens the API: tier `pro`, status `active` or `trialing` (spec "Authentication" 5). */
export function isActivePro(subscription: Subscription | undefined): boolean {
  return isPaid(subscription) && subscription?.tier === 'pro';
}

/** Whether it opens what the bring-your-own-key plan has in the application: that plan's own tier, or Pro. */
export function isActiveByok(subscription: Subscription | undefined): boolean {
  return isActivePro(subscription) || (isPaid(subscription) && subscription?.tier === 'byok');
}

function isPaid(subscription: Subscription | undefined): boolean {
  return PAID_STATUSES.has(subscription?.status ?? '');
}
