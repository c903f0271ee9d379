import type { UsageStore } from '../store';
import type { FirestoreClient } from './client';
import { overflowOf, usageMonthOf } from './month-document';
import { monthRef } from './refs';

const BUDGET_MS = 5_000;

/** Months, read by their ids: one round trip, and a second one when there are overflow documents. */
export function firestoreMonths(client: FirestoreClient): UsageStore {
  return {
    readMonths: (userId, months) =>
      client.run({ name: 'readMonths', budgetMs: BUDGET_MS }, (session) => {
        const refOf = (month: string, page: number) => monthRef(session.db, userId, { month, page });
        return session.readTogether(async (read) => {
          const bases = await read(months.map((month) => refOf(month, 0)));
          const numbers = bases.map(overflowOf);
          const overflow = await read(
            bases.flatMap((base, index) => (numbers[index] ?? []).map((n) => refOf(base.id, n))),
          );
          return bases.flatMap((base, index) => {
            const before = numbers.slice(0, index).flat().length;
            return usageMonthOf(base, overflow.slice(before, before + (numbers[index]?.length ?? 0))) ?? [];
          });
        });
      }),
  };
}
