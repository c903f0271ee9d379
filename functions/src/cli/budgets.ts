import type { Command } from 'commander';
import { newAct } from '../access/act';
import { monthOf } from '../ledger/month';
import { formatUsd } from '../lib/usd';
import type { Services } from '../services';
import type { Operation, Output, Perform } from './command';
import { printable } from './printable';
import { dollars, USER, UsageError } from './values';

/** A user, or the deployment. */
type Owner = { user?: string; deployment?: true };

/** Adds what an operator does with budgets. */
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

/** Sets a budget, or removes it. */
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
