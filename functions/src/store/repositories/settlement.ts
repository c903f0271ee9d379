import type { CallRow } from '../../ledger/call-row';
import { consumptionOf, type RequestConsumption } from '../../ledger/consumption';
import {
  LEDGER_RETENTION_MS,
  type LedgerStore,
  type Reservation,
  type SettledRequest,
  type Settlement,
} from '../../ledger/ledger-store';
import { type Clock, newId } from '../../lib/clock';
import { change, type Documents, REMOVED } from '../documents';
import { addToGrant } from './byok';
import { ledgerRef, reservationFields, type StoredRecord } from './ledger';
import { monthAddition, monthRef } from './months';

const BUDGET_MS = 10_000;

/** Fields of open records alone: nothing else is in the indexes of the sums that budgets are checked against. */
const NO_LONGER_OPEN = { calls: REMOVED, estimateNano: REMOVED };

/**
 * Settlement: the record is closed, and its month, lines and grant are added to, in one commit, which fails unless the
 * record is still as it was read: open. So whatever is repeated or raced, one commit applies.
 */
export function settlementRepository(documents: Documents, clock: Clock): Pick<LedgerStore, 'settle' | 'abandon'> {
  /** Marks our own commits, so that one whose answer was lost is known again; random once. */
  const process = newId(clock);
  let settlements = 0;
  return {
    settle: (settlement) => close(settlement),
    abandon: async (reservation, settledAtMs) => {
      const settlement = { request: reservation, state: 'settled', outcome: 'failed', calls: [], settledAtMs } as const;
      return (await close(settlement, reservation)) === 'applied' ? 'applied' : 'already';
    },
  };

  /** With a reservation a record that is missing is made, closed. */
  async function close({ request, ...settlement }: Settlement, reservation?: Reservation): Promise<Outcome> {
    const consumption = consumptionOf(settlement.calls);
    const used = { ...request, ...consumption };
    settlements += 1;
    const settledBy = `${process}-${settlements}`;
    const closed = { ...closedFields(request, settlement, consumption), settledBy };
    const refs = [ledgerRef(request.requestId), monthRef(request)] as const;
    return documents.change<typeof refs, Outcome>('settle', {
      read: refs,
      // Many new models of a user at once would go on failing each other.
      turnOnRetry: `settle ${request.userId} ${request.month}`,
      budgetMs: BUDGET_MS,
      decide: ([record, month]) => {
        const isThere = record.fields !== undefined || reservation !== undefined;
        const outcome = isThere ? outcomeOf(record.fields, settledBy) : 'missing';
        if (outcome) return { result: outcome };
        const made = reservation && !record.fields ? reservationFields(reservation) : {};
        const writes = [change(record, { ...made, ...closed }), monthAddition(month, used)];
        return { result: 'applied', writes: request.onGrant ? [...writes, addToGrant(used)] : writes };
      },
    });
  }
}

/** The outcome for a record that was closed before; undefined where it is to be closed. */
function outcomeOf(stored: StoredRecord | undefined, settledBy: string): Outcome | undefined {
  if (!stored || stored.state === 'open') return undefined;
  return stored.settledBy === settledBy ? 'applied' : 'already';
}

function closedFields(
  { startedAtMs }: SettledRequest,
  { state, outcome, calls, settledAtMs }: Omit<Settlement, 'request'>,
  { total: { promptTokens: ctx, completionTokens: gen, costNanoUsd: costNano }, models }: RequestConsumption,
) {
  const costGap = costGapOf(calls);
  return {
    ...NO_LONGER_OPEN,
    state,
    finalCalls: calls,
    totals: { ctx, gen, costNano },
    models: models.slice(0, MODELS_MAX).map(({ name }) => name),
    ...(outcome && { outcome }),
    ...(costGap && { costGap }),
    estimated: calls.some((call) => call.estimated),
    settledAt: settledAtMs,
    expireAt: startedAtMs + LEDGER_RETENTION_MS,
  };
}

/** A request has few models; whatever it has, its log must not grow with it. */
const MODELS_MAX = 20;

function costGapOf(calls: readonly CallRow[]): 'unpriced' | 'router' | undefined {
  const used = calls.filter(({ promptTokens, completionTokens }) => promptTokens + completionTokens > 0);
  if (used.some(({ priced, ownKey }) => !priced && !ownKey)) return 'unpriced';
  return used.some(({ ownKey }) => ownKey) ? 'router' : undefined;
}

type Outcome = Awaited<ReturnType<LedgerStore['settle']>>;
