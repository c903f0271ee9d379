import type { Container } from '../container';
import { newAct } from '../guard/act';
import { formatUsd } from '../lib/usd';
import { monthOf } from '../usage/month';
import type { Output } from './output';
import { dollars, type Options, required, UsageError } from './parse-options';

const NONE = 'none';

/** `budgets set`: what a user, or the whole deployment, may spend in a UTC month; `none` removes the budget. */
export async function setBudget({ store, clock }: Container, options: Options): Promise<Output> {
  const userId = ownerOf(options);
  const budgetNanoUsd = required(options, 'monthly') === NONE ? null : (dollars(options, 'monthly') ?? null);
  const details = { monthlyUsd: usd(budgetNanoUsd) };
  const about = userId === undefined ? { userId: '', target: 'deployment' } : { userId };
  const act = newAct(clock, { actor: 'cli', name: 'budgets.set', ...about, details });
  if (userId === undefined) await store.setServerBudget(budgetNanoUsd, act);
  else if (!(await store.setUserBudget(userId, budgetNanoUsd, act))) throw new Error(`${userId} has no subscription`);
  const amount = budgetNanoUsd === null ? 'no budget' : `${formatUsd(budgetNanoUsd)} a month`;
  return { data: { ...subject(userId), ...details }, text: `${userId ?? 'deployment'}: ${amount}` };
}

/** `budgets show`: the budget and what was spent of it this month, runs under way included as they are estimated. */
export async function showBudget(container: Container, options: Options): Promise<Output> {
  const { store, clock } = container;
  const userId = ownerOf(options);
  const month = monthOf(clock.nowMs());
  const { budget, spent } = await (userId === undefined ? ofServer(store, month) : ofUser(store, userId, month));
  const data = { ...subject(userId), month, monthlyUsd: usd(budget), spentUsd: usd(spent) };
  const ofBudget = budget === null ? 'no budget' : `of ${formatUsd(budget)}`;
  const text = spent === null ? ofBudget : `${formatUsd(spent)} spent, ${ofBudget}`;
  return { data, text: `${userId ?? 'deployment'}: ${month}: ${text}` };
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
