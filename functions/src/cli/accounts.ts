import { type Command, Option } from 'commander';
import { newAct } from '../access/act';
import { userFlaw } from '../access/keys';
import { isActivePro, type Subscription } from '../access/subscription';
import { monthOf } from '../ledger/month';
import { isoTime } from '../lib/clock';
import { formatUsd } from '../lib/usd';
import type { Services } from '../services';
import { dollars, type Operation, type Output, orThrow, type Perform, text, USER, UsageError } from './command';
import { printable, textTable } from './output';

/** See `docs/api.md`, Subscriptions. */
const TIERS = ['pro', 'byok', 'free'];
const STATUSES = ['active', 'trialing', 'past_due', 'canceled', 'unpaid', 'paused', 'incomplete', 'incomplete_expired'];

const USERS_MAX = 1_000;
const LIST_NOTE = `\nAt most ${USERS_MAX} at a time, in the order of their ids; --after goes on behind the last one.`;

export function addAccountCommands(program: Command, perform: Perform): void {
  program
    .command('users')
    .description('list users')
    .command('list')
    .description('list everybody who has, or had, a subscription')
    .option('--after <U>', 'go on behind this user', text)
    .addHelpText('after', LIST_NOTE)
    .action(perform(listUsers));
  const subscriptions = program.command('subscriptions').description('set and show the plans of users');
  subscriptions
    .command('set')
    .description('say which plan a user has; acts on the next request')
    .requiredOption(...USER)
    .addOption(new Option('--tier <TIER>', 'the plan').choices(TIERS).makeOptionMandatory())
    .addOption(new Option('--status <STATUS>', 'the state of the subscription').choices(STATUSES).makeOptionMandatory())
    .addHelpText('after', '\nThe API is open to the tier pro with the status active or trialing.')
    .action(perform(setSubscription));
  subscriptions
    .command('show')
    .description('show the plan of a user')
    .requiredOption(...USER)
    .action(perform(showSubscription));
}

async function listUsers({ container: { store }, options }: Operation<{ after?: string }>): Promise<Output> {
  // One more than is shown tells whether there are more.
  const found = await store.listSubscriptions({ ...options, max: USERS_MAX + 1 });
  const users = found.slice(0, USERS_MAX);
  const hasMore = found.length > USERS_MAX;
  const data = users.map(userView);
  const lines = [data.length > 0 ? textTable(data) : 'no users'];
  if (hasMore) lines.push(`there are more: go on with --after and the last user`);
  return { data: { data, has_more: hasMore }, text: lines.join('\n') };
}

async function setSubscription({
  container: { store, clock },
  options: { user: userId, tier, status },
}: Operation<{ user: string; tier: string; status: string }>): Promise<Output> {
  orThrow(userFlaw(userId));
  const stored = await store.getSubscription(userId);
  // Newer than what is stored, also where the clock was set back since.
  const sourceUpdatedAtMs = Math.max(clock.nowMs(), stored?.sourceUpdatedAtMs ?? 0);
  const statement = { userId, tier, status, sourceUpdatedAtMs };
  const act = newAct(clock, { actor: 'cli', name: 'subscriptions.set', userId, details: { tier, status } });
  const applied = await store.putSubscription(statement, act);
  if (!applied) throw new Error(`a newer subscription of ${userId} is already stored`);
  return { data: { user: userId, tier, status }, text: textTable([userView(statement)]) };
}

async function showSubscription({ container, options }: Operation<{ user: string }>): Promise<Output> {
  const { user: userId } = options;
  const subscription = await container.store.getSubscription(userId);
  if (!subscription) throw new Error(`${userId} has no subscription in this store`);
  const data = userView(subscription);
  return { data, text: textTable([data]) };
}

function userView(subscription: Subscription) {
  const { userId: user, tier, status, sourceUpdatedAtMs, budgetNanoUsd } = subscription;
  const apiAccess = isActivePro(subscription);
  const updatedAt = isoTime(sourceUpdatedAtMs);
  return { tier, status, apiAccess, monthlyUsd: usd(budgetNanoUsd ?? null), updatedAt, user };
}

/** A user, or the deployment. */
type Owner = { user?: string; deployment?: true };

export function addBudgetCommands(program: Command, perform: Perform): void {
  const budgets = program.command('budgets').description('set and show what may be spent in a month');
  const addBudget = (name: string) =>
    budgets
      .command(name)
      .option(...USER)
      .option('--deployment', 'the deployment as a whole, instead of a user')
      .addHelpText('after', '\nEither --user or --deployment.');
  addBudget('set')
    .description('say what a user, or the deployment, may spend in a UTC month')
    .requiredOption('--monthly <USD>', 'US dollars in a UTC month, or none', (value) =>
      value === 'none' ? value : dollars(value),
    )
    .action(perform(setBudget));
  addBudget('show')
    .description('show a budget, and what was spent of it this month; runs under way count as they are estimated')
    .action(perform(showBudget));
}

async function setBudget({ container, options }: Operation<Owner & { monthly: number | 'none' }>): Promise<Output> {
  const { store, clock } = container;
  const userId = ownerOf(options);
  const budgetNanoUsd = options.monthly === 'none' ? null : options.monthly;
  const details = { monthlyUsd: usd(budgetNanoUsd) };
  const about = userId === undefined ? { userId: '', target: 'deployment' } : { userId };
  const act = newAct(clock, { actor: 'cli', name: 'budgets.set', ...about, details });
  if (userId === undefined) await store.setServerBudget(budgetNanoUsd, act);
  else if (!(await store.setUserBudget(userId, budgetNanoUsd, act))) throw new Error(`${userId} has no subscription`);
  const amount = budgetNanoUsd === null ? 'no budget' : `${formatUsd(budgetNanoUsd)} a month`;
  return { data: { ...subject(userId), ...details }, text: `${printable(userId ?? 'deployment')}: ${amount}` };
}

async function showBudget({ container, options }: Operation<Owner>): Promise<Output> {
  const { store, clock } = container;
  const userId = ownerOf(options);
  const month = monthOf(clock.nowMs());
  const { budget, spent } = await (userId === undefined ? ofServer(store, month) : ofUser(store, userId, month));
  const data = { ...subject(userId), month, monthlyUsd: usd(budget), spentUsd: usd(spent) };
  const ofBudget = budget === null ? 'no budget' : `of ${formatUsd(budget)}`;
  const text = spent === null ? ofBudget : `${formatUsd(spent)} spent, ${ofBudget}`;
  return { data, text: `${printable(userId ?? 'deployment')}: ${month}: ${text}` };
}

async function ofUser(store: Services['store'], userId: string, month: string) {
  const { userNanoUsd: spent } = await store.readSpend({ userId, month });
  return { budget: (await store.getSubscription(userId))?.budgetNanoUsd ?? null, spent };
}

/** Spending of all users, added up only where there is a budget. */
async function ofServer(store: Services['store'], month: string) {
  const { budgetNanoUsd = null, spentNanoUsd = null } = (await store.readServerSpend(month)) ?? {};
  return { budget: budgetNanoUsd, spent: spentNanoUsd };
}

/** The user that is meant; undefined for the deployment. */
function ownerOf({ user, deployment }: Owner): string | undefined {
  if ((user === undefined) === (deployment === undefined))
    throw new UsageError('either --user or --deployment is required');
  return user;
}

function subject(userId: string | undefined) {
  return userId === undefined ? { deployment: true } : { user: userId };
}

function usd(nanoUsd: number | null): number | null {
  return nanoUsd === null ? null : nanoUsd / 1e9;
}
