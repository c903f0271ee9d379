import type { Container } from '../container';
import { newAct } from '../guard/act';
import { formatUsd } from '../lib/usd';
import { monthOf } from '../usage/month';
import type { Command, Operation } from './command';
import type { Output } from './output';
import { dollars, type Options, required, UsageError } from './parse-options';
import { printable } from './printable';

const NONE = 'none';

/** What an operator does with budgets. */
export const BUDGET_COMMANDS: Readonly<Record<string, Command>> = {
  'budgets set': {
    summary: 'say what a user, or the deployment, may spend in a UTC month',
    needs: ['monthly'],
    takes: ['user', 'deployment'],
    examples: [
      'budgets set --user alice --monthly 50',
      'budgets set --deployment --monthly 500',
      'budgets set --user alice --monthly none',
    ],
    notes: ['Either --user or --deployment.'],
    run: setBudget,
  },
  'budgets show': {
    summary: 'show a budget, and what was spent of it this month',
    needs: [],
    takes: ['user', 'deployment'],
    examples: ['budgets show --user alice', 'budgets show --deployment'],
    notes: ['Either --user or --deployment. Runs under way count as they are estimated.'],
    run: showBudget,
  },
};

/** `none` removes the budget. */
async function setBudget({ container: { store, clock }, options }: Operation): Promise<Output> {
  const userId = ownerOf(options);
  const budgetNanoUsd = required(options, 'monthly') === NONE ? null : (dollars(options, 'monthly') ?? null);
  const details = { monthlyUsd: usd(budgetNanoUsd) };
  const about = userId === undefined ? { userId: '', target: 'deployment' } : { userId };
  const act = newAct(clock, { actor: 'cli', name: 'budgets.set', ...about, details });
  if (userId === undefined) await store.setServerBudget(budgetNanoUsd, act);
  else if (!(await store.setUserBudget(userId, budgetNanoUsd, act))) throw new Error(`${userId} has no subscription`);
  const amount = budgetNanoUsd === null ? 'no budget' : `${formatUsd(budgetNanoUsd)} a month`;
  return { data: { ...subject(userId), ...details }, text: `${labelOf(userId)}: ${amount}` };
}

async function showBudget({ container, options }: Operation): Promise<Output> {
  const { store, clock } = container;
  const userId = ownerOf(options);
  const month = monthOf(clock.nowMs());
  const { budget, spent } = await (userId === undefined ? ofServer(store, month) : ofUser(store, userId, month));
  const data = { ...subject(userId), month, monthlyUsd: usd(budget), spentUsd: usd(spent) };
  const ofBudget = budget === null ? 'no budget' : `of ${formatUsd(budget)}`;
  const text = spent === null ? ofBudget : `${formatUsd(spent)} spent, ${ofBudget}`;
  return { data, text: `${labelOf(userId)}: ${month}: ${text}` };
}

async function ofUser(store: Container['store'], userId: string, month: string) {
  const { userNanoUsd: spent } = await store.readSpend({ userId, month });
  return { budget: (await store.getSubscription(userId))?.budgetNanoUsd ?? null, spent };
}

/** What all users spend is only added up where there is a budget. */
async function ofServer(store: Container['store'], month: string) {
  const { budgetNanoUsd = null, spentNanoUsd = null } = (await store.readServerSpend(month)) ?? {};
  return { budget: budgetNanoUsd, spent: spentNanoUsd };
}

/** The user that is meant; undefined for the deployment. */
function ownerOf(options: Options): string | undefined {
  const { user, deployment } = options;
  if ((user === undefined) === (deployment === undefined))
    throw new UsageError('either --user or --deployment is required');
  return user === undefined ? undefined : required(options, 'user');
}

function subject(userId: string | undefined) {
  return userId === undefined ? { deployment: true } : { user: userId };
}

function usd(nanoUsd: number | null): number | null {
  return nanoUsd === null ? null : nanoUsd / 1e9;
}

function labelOf(userId: string | undefined): string {
  return userId === undefined ? 'deployment' : printable(userId);
}
