import { type BudgetStore, monthsToTally, type Spend } from '../../access/budget';
import type { AdmissionRequest } from '../../access/rate-limit';
import type { UserMonth } from '../../ledger/usage-store';
import { actRecorder } from './acts';
import type { Connection } from './connection';

type Amount = { readonly nanoUsd: number };
type KeyAmount = Amount & { readonly keyId: string };

/** Budgets: a user's beside the subscription, the deployment's in a row of its own. */
export function embeddedBudgets(connection: Connection): BudgetStore {
  const setUser = connection.prepare<{ userId: string; budgetNanoUsd: number | null }>(
    'UPDATE subscriptions SET budget_nano_usd = :budgetNanoUsd WHERE user_id = :userId',
  );
  const setServer = connection.prepare<{ budgetNanoUsd: number }>(
    'INSERT INTO server_budget VALUES (1, :budgetNanoUsd) ON CONFLICT DO UPDATE SET budget_nano_usd = :budgetNanoUsd',
  );
  const removeServer = connection.prepare<object>('DELETE FROM server_budget');
  const server = connection.prepare<object, Amount>('SELECT budget_nano_usd AS nanoUsd FROM server_budget');
  const spentByAll = connection.prepare<{ month: string }, Amount>(`
    SELECT (SELECT COALESCE(SUM(cost_nano_usd), 0) FROM months WHERE month = :month)
      + (SELECT COALESCE(SUM(estimate_nano_usd), 0) FROM ledger WHERE state = 'open' AND month = :month) AS nanoUsd
  `);
  const readSpend = spendReader(connection);
  const record = actRecorder(connection);

  return {
    setUserBudget: (userId, budgetNanoUsd, act) =>
      connection.write(() => {
        if (setUser.run({ userId, budgetNanoUsd }) === 0) return false;
        record(act);
        return true;
      }),
    setServerBudget: (budgetNanoUsd, act) =>
      connection.write(() => {
        record(act);
        if (budgetNanoUsd === null) removeServer.run({});
        else setServer.run({ budgetNanoUsd });
      }),
    readSpend: (of) => connection.read(() => readSpend(of)),
    readServerSpend: (month) =>
      connection.read(() => {
        const budget = server.get({});
        const spent = spentByAll.get({ month });
        return budget && { budgetNanoUsd: budget.nanoUsd, spentNanoUsd: spent?.nanoUsd ?? 0 };
      }),
  };
}

/** What the user of `requests` has spent of each month that one of them has a budget in; to be run in a transaction. */
export function spendsOf(
  connection: Connection,
): (requests: readonly AdmissionRequest[]) => ReadonlyMap<string, Spend> {
  const readSpend = spendReader(connection);
  return (requests) => {
    const userId = requests[0]?.userId ?? '';
    return new Map(monthsToTally(requests).map((month) => [month, readSpend({ userId, month })]));
  };
}

function spendReader(connection: Connection): (of: UserMonth) => Spend {
  const booked = connection.prepare<UserMonth, Amount>(
    'SELECT cost_nano_usd AS nanoUsd FROM months WHERE user_id = :userId AND month = :month',
  );
  const bookedByKey = connection.prepare<UserMonth, KeyAmount>(
    'SELECT id AS keyId, cost_nano_usd AS nanoUsd FROM key_lines WHERE user_id = :userId AND month = :month',
  );
  const setAside = connection.prepare<UserMonth, KeyAmount>(`
    SELECT key_id AS keyId, estimate_nano_usd AS nanoUsd FROM ledger
      WHERE state = 'open' AND user_id = :userId AND month = :month
  `);
  return (of) => {
    const open = setAside.all(of);
    const keys = Map.groupBy([...bookedByKey.all(of), ...open], ({ keyId }) => keyId);
    return {
      userNanoUsd: (booked.get(of)?.nanoUsd ?? 0) + sumOf(open),
      keysNanoUsd: new Map([...keys].map(([keyId, amounts]) => [keyId, sumOf(amounts)])),
    };
  };
}

function sumOf(amounts: readonly Amount[]): number {
  return amounts.reduce((sum, { nanoUsd }) => sum + nanoUsd, 0);
}
