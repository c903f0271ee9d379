import type { Subscription } from '../access/subscription';
import type { Log } from '../lib/log';

/** Projection of the subscriptions of a billing system. */
export interface Billing {
  /** Resolves to what is said of a user from now on, or undefined where nothing had to be changed. */
  project(userId: string): Promise<Subscription | undefined>;
  readonly log: Log;
}

/** Brings what is said of a user in line with what was paid, and logs what came of it. Rejects, after logging, when it failed. */
export async function projectAndLog({ project, log }: Billing, userId: string): Promise<void> {
  try {
    const said = await project(userId);
    if (said) log.info('subscription changed', { userId, tier: said.tier, status: said.status });
    else log.info('subscription unchanged', { userId });
  } catch (error) {
    log.error('subscription not projected', { userId }, error);
    throw error;
  }
}
