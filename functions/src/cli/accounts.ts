import { type Command, Option } from 'commander';
import { newAct } from '../access/act';
import { userFlaw } from '../access/keys';
import { isActivePro, type Subscription } from '../access/subscription';
import { monthOf } from '../ledger/month';
import { isoTime } from '../lib/clock';
import { formatUsd, usd } from '../lib/usd';
import type { Services } from '../services';
import { dollars, firstRows, type Output, orThrow, type Perform, text, USER, UsageError } from './command';
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

async function listUsers({ store }: Services, options: { after?: string }): Promise<Output> {
  const found = await store.listSubscriptions({ ...options, max: USERS_MAX + 1 });
  const words = { none: 'no users', more: 'there are more: go on with --after and the last user' };
  return firstRows(found.map(userView), USERS_MAX, words);
}

async function setSubscription(
  { store, clock }: Services,
  { user: userId, tier, status }: { user: string; tier: string; status: string },
): Promise<Output> {
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

async function showSubscription({ store }: Services, { user }: { user: string }): Promise<Output> {
  const subscription = await store.getSubscription(user);
  if (!subscription) throw new Error(`${user} has no subscription in this store`);
  const data = userView(subscription);
  return { data, text: textTable([data]) };
}

function userView(subscription: Subscription) {
  const { userId: user, tier, status, sourceUpdatedAtMs, budgetNanoUsd = null } = subscription;
  const [apiAccess, updatedAt] = [isActivePro(subscription), isoTime(sourceUpdatedAtMs)];
  return { tier, status, apiAccess, monthlyUsd: dollarsOf(budgetNanoUsd), updatedAt, user };
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

async function setBudget({ store, clock }: Services, options: Owner & { monthly: number | 'none' }): Promise<Output> {
  const userId = ownerOf(options);
  const budgetNanoUsd = options.monthly === 'none' ? null : options.monthly;
  const details = { monthlyUsd: dollarsOf(budgetNanoUsd) };
  const about = userId === undefined ? { userId: '', target: 'deployment' } : { userId };
  const act = newAct(clock, { actor: 'cli', name: 'budgets.set', ...about, details });
  if (userId === undefined) await store.setServerBudget(budgetNanoUsd, act);
  else if (!(await store.setUserBudget(userId, budgetNanoUsd, act))) throw new Error(`${userId} has no subscription`);
  const amount = budgetNanoUsd === null ? 'no budget' : `${formatUsd(budgetNanoUsd)} a month`;
  return { data: { ...subject(userId), ...details }, text: `${printable(userId ?? 'deployment')}: ${amount}` };
}

async function showBudget({ store, clock }: Services, options: Owner): Promise<Output> {
  const userId = ownerOf(options);
  const month = monthOf(clock.nowMs());
  // Of all users spending is added up only where there is a budget.
  const { budgetNanoUsd = null, spentNanoUsd = null } =
    userId === undefined
      ? ((await store.readServerSpend(month)) ?? {})
      : {
          budgetNanoUsd: (await store.getSubscription(userId))?.budgetNanoUsd,
          spentNanoUsd: (await store.readSpend({ userId, month })).userNanoUsd,
        };
  const budget = budgetNanoUsd === null ? 'no budget' : `of ${formatUsd(budgetNanoUsd)}`;
  const words = spentNanoUsd === null ? budget : `${formatUsd(spentNanoUsd)} spent, ${budget}`;
  return {
    data: { ...subject(userId), month, monthlyUsd: dollarsOf(budgetNanoUsd), spentUsd: dollarsOf(spentNanoUsd) },
    text: `${printable(userId ?? 'deployment')}: ${month}: ${words}`,
  };
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

function dollarsOf(nanoUsd: number | null): number | null {
  return nanoUsd === null ? null : usd(nanoUsd);
}
