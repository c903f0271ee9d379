import { newAct } from '../guard/act';
import { isActivePro, type Subscription } from '../guard/subscription';
import { userFlaw } from '../keys/keys';
import { isoTime } from '../lib/iso-time';
import { formatUsd } from '../lib/usd';
import type { Command, Operation } from './command';
import { nearest } from './nearest';
import { orThrow } from './outcome';
import type { Output } from './output';
import { type Options, required, UsageError } from './parse-options';
import { textTable } from './text-table';

/** See `docs/api.md`, Subscriptions. */
const TIERS = ['pro', 'byok', 'free'];
const STATUSES = ['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'paused', 'incomplete', 'incomplete_expired'];

/** Users listed at most. */
const USERS_MAX = 1_000;

/** What an operator does with users and their subscriptions. */
export const ACCOUNT_COMMANDS: Readonly<Record<string, Command>> = {
  'users list': {
    summary: 'list everybody who has, or had, a subscription',
    needs: [],
    takes: ['after'],
    examples: ['users list', 'users list --json', 'users list --after mallory'],
    notes: [`At most ${USERS_MAX} at a time, in the order of their ids; --after goes on behind the last one.`],
    run: listUsers,
  },
  'subscriptions set': {
    summary: 'say which plan a user has; acts on the next request',
    needs: ['user', 'tier', 'status'],
    takes: [],
    examples: [
      'subscriptions set --user alice --tier pro --status active',
      'subscriptions set --user alice --tier pro --status canceled',
    ],
    notes: ['The API is open to the tier pro with the status active or trialing.'],
    run: setSubscription,
  },
  'subscriptions show': {
    summary: 'show the plan of a user',
    needs: ['user'],
    takes: [],
    examples: ['subscriptions show --user alice'],
    run: showSubscription,
  },
};

async function listUsers({ container: { store }, options }: Operation): Promise<Output> {
  const after = options['after'] === undefined ? {} : { after: required(options, 'after') };
  // One more than is shown tells whether there are more.
  const found = await store.listSubscriptions({ ...after, max: USERS_MAX + 1 });
  const users = found.slice(0, USERS_MAX);
  const hasMore = found.length > USERS_MAX;
  const lines = [users.length > 0 ? textTable(users.map(userRow)) : 'no users'];
  if (hasMore) lines.push(`there are more: go on with --after and the last user`);
  return { data: { data: users.map(userView), has_more: hasMore }, text: lines.join('\n') };
}

async function setSubscription({ container: { store, clock }, options }: Operation): Promise<Output> {
  const userId = required(options, 'user');
  const tier = oneOf(options, 'tier', TIERS);
  const status = oneOf(options, 'status', STATUSES);
  orThrow(userFlaw(userId));
  const stored = await store.getSubscription(userId);
  // Newer than what is stored, also where the clock was set back since.
  const sourceUpdatedAtMs = Math.max(clock.nowMs(), stored?.sourceUpdatedAtMs ?? 0);
  const statement = { userId, tier, status, sourceUpdatedAtMs };
  const act = newAct(clock, { actor: 'cli', name: 'subscriptions.set', userId, details: { tier, status } });
  const applied = await store.putSubscription(statement, act);
  if (!applied) throw new Error(`a newer subscription of ${userId} is already stored`);
  return { data: { user: userId, tier, status }, text: textTable([userRow(statement)]) };
}

async function showSubscription({ container: { store }, options }: Operation): Promise<Output> {
  const userId = required(options, 'user');
  const subscription = await store.getSubscription(userId);
  if (!subscription) throw new Error(`${userId} has no subscription in this store`);
  const { tier, status, sourceUpdatedAtMs } = subscription;
  const data = { user: userId, tier, status, updatedAt: isoTime(sourceUpdatedAtMs) };
  return { data, text: textTable([userRow(subscription)]) };
}

function oneOf(options: Options, name: string, known: readonly string[]): string {
  const value = required(options, name);
  if (known.includes(value)) return value;
  const meant = nearest(value, known);
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`;
  throw new UsageError(`unknown ${name} ${value}: --${name} must be one of ${known.join(', ')}${hint}`);
}

function userView(subscription: Subscription) {
  const { userId: user, tier, status, sourceUpdatedAtMs, budgetNanoUsd } = subscription;
  const monthlyUsd = budgetNanoUsd === undefined ? null : budgetNanoUsd / 1e9;
  return {
    user,
    tier,
    status,
    apiAccess: isActivePro(subscription),
    monthlyUsd,
    updatedAt: isoTime(sourceUpdatedAtMs),
  };
}

function userRow(subscription: Subscription) {
  const { userId, tier, status, sourceUpdatedAtMs, budgetNanoUsd } = subscription;
  return {
    TIER: tier,
    STATUS: status,
    API: isActivePro(subscription) ? 'open' : 'closed',
    'MONTHLY BUDGET': budgetNanoUsd === undefined ? null : formatUsd(budgetNanoUsd),
    CHANGED: isoTime(sourceUpdatedAtMs),
    USER: userId,
  };
}
