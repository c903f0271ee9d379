import { type Refusal, refuse } from '../errors';
import { isActiveByok } from '../guard/subscription';
import type { Subscription, SubscriptionStore } from '../store/store';

const NO_PLAN = 'This needs an active bring-your-own-key or Pro subscription.';

/** A user's subscription when it opens what the bring-your-own-key plan has; a 403 otherwise. Asked every time. */
export async function requireByok(store: SubscriptionStore, userId: string): Promise<Subscription | Refusal> {
  const subscription = await store.getSubscription(userId);
  return subscription && isActiveByok(subscription) ? subscription : refuse('no_subscription', NO_PLAN);
}
