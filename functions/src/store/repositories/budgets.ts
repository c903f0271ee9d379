import type { BudgetStore, Spend } from '../../access/budget';
import { originOf } from '../../ledger/ledger-store';
import { change, type Documents, type Query, REMOVED, remove, type Snapshot } from '../documents';
import { recordAct } from './acts';
import { monthRef, type StoredMonth, usageMonthOf } from './months';
import { at, subscriptionRef } from './refs';

/** An open record, as far as it counts against budgets. */
interface SetAside {
  readonly month: string;
  readonly keyId: string;
  readonly originId?: string;
  readonly estimateNano: number;
}

/**
 * Budgets: a user's is a field of the subscription, which every request reads anyway; the deployment's a document. What
 * was spent is nowhere counted again: a user's is its month and its open records, the deployment's the sums of these over
 * all users.
 */
export function budgetRepository(documents: Documents): BudgetStore {
  return {
    setUserBudget: (userId, budgetNanoUsd, act) =>
      documents.change('setUserBudget', {
        read: [subscriptionRef(userId)],
        decide: ([stored]) => {
          if (!stored.fields) return { result: false };
          const budget = change(stored, { budgetNanoUsd: budgetNanoUsd ?? REMOVED });
          return { result: true, writes: [budget, ...recordAct(act)] };
        },
      }),

    setServerBudget: (budgetNanoUsd, act) =>
      documents.change('setServerBudget', {
        read: [SERVER_BUDGET],
        decide: ([stored]) => {
          const budget = budgetNanoUsd === null ? remove(stored) : change(stored, { budgetNano: budgetNanoUsd });
          return { result: undefined, writes: [budget, ...recordAct(act)] };
        },
      }),

    readSpend: ({ userId, month }) =>
      documents.change('readSpend', {
        read: [monthRef({ userId, month })],
        queries: [openSpend(userId)],
        readOnly: true,
        decide: ([booked], { found: [open = []] }) => ({ result: spendOf(booked, open) }),
      }),

    readServerSpend: async (month) => {
      const [{ fields }] = await documents.get('readServerSpend', [SERVER_BUDGET]);
      if (!fields) return undefined;
      const months = { collection: 'usage', everywhere: true, where: [['month', '==', month]] } as const;
      const open = { ...OPEN_RECORDS, where: [['month', '==', month], SETS_ASIDE] } as const;
      const [booked, setAside] = await Promise.all([
        documents.total('readServerSpend', months, 'costNano'),
        documents.total('readServerSpend', open, 'estimateNano'),
      ]);
      return { budgetNanoUsd: fields.budgetNano, spentNanoUsd: booked.sum + setAside.sum };
    },
  };
}

const SERVER_BUDGET = at<{ readonly budgetNano: number }>('server', 'budget');

/** Only open records have an estimate: closing removes it. */
const SETS_ASIDE = ['estimateNano', '>', 0] as const;
const OPEN_RECORDS = { collection: 'usageLedger', implied: [['state', 'is', 'open']] } as const;

/** A user's open records. They and a month are read as of one moment: a settlement moves a request from these into that. */
export const openSpend = (userId: string): Query<SetAside> => ({
  ...OPEN_RECORDS,
  where: [['uid', '==', userId], SETS_ASIDE],
  select: ['month', 'keyId', 'originId', 'estimateNano'],
});

export function spendOf(booked: Snapshot<StoredMonth>, open: readonly Snapshot<SetAside>[]): Spend {
  const { costNanoUsd, keys } = usageMonthOf(booked) ?? { costNanoUsd: 0, keys: [] };
  const keysNanoUsd = new Map(keys.map((line) => [line.id, line.costNanoUsd]));
  let userNanoUsd = costNanoUsd;
  for (const { fields } of open) {
    if (fields?.month !== booked.id) continue;
    userNanoUsd += fields.estimateNano;
    const origin = originOf(fields);
    keysNanoUsd.set(origin, (keysNanoUsd.get(origin) ?? 0) + fields.estimateNano);
  }
  return { userNanoUsd, keysNanoUsd };
}
