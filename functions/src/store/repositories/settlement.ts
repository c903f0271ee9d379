import { consumptionOf, type RequestConsumption } from '../../ledger/consumption';
import { LEDGER_RETENTION_MS, type LedgerStore, type Reservation, type Settlement } from '../../ledger/ledger-store';
import { type Clock, newId } from '../../lib/clock';
import { change, create, type Documents, REMOVED, type Snapshot, type Write } from '../documents';
import { addToGrant } from './grants';
import {
  type KnownRequest,
  type KnownRequests,
  ledgerRecordOf,
  ledgerRef,
  reservationFields,
  type StoredRecord,
} from './ledger';
import { monthAddition, monthRef, type StoredMonth } from './months';

const BUDGET_MS = 10_000;

interface Closing {
  readonly settlement: Settlement;
  readonly request: KnownRequest;
  /** Given where the record may be missing and is then to be made, closed. */
  readonly reservation: Reservation | undefined;
  readonly consumption: RequestConsumption;
  /** Marks our own commit, so that one whose answer was lost is known again. */
  readonly token: string;
}

type Outcome = Awaited<ReturnType<LedgerStore['settle']>>;

/**
 * Settlement: the record is closed, and its month, lines and grant are added to, in one commit, which fails unless the
 * record is still as it was read: open. So whatever is repeated or raced, one commit applies.
 */
export function settlementRepository(
  documents: Documents,
  known: KnownRequests,
  clock: Clock,
): Pick<LedgerStore, 'settle' | 'abandon'> {
  /** Random once: every settlement has a number of its own. */
  const process = newId(clock);
  let settlements = 0;

  return {
    settle: (settlement) => close(settlement),
    abandon: async (reservation, settledAtMs) => {
      const { requestId } = reservation;
      const outcome = await close({ requestId, state: 'settled', calls: [], settledAtMs }, reservation);
      return outcome === 'applied' ? 'applied' : 'already';
    },
  };

  async function close(settlement: Settlement, reservation?: Reservation): Promise<Outcome> {
    const consumption = consumptionOf(settlement.calls);
    const { requestId } = settlement;
    const request = reservation ?? known.get(requestId) ?? (await find(requestId));
    if (!request) return 'missing';
    settlements += 1;
    const closing = { settlement, request, reservation, consumption, token: `${process}-${settlements}` };
    const outcome: Outcome = await documents.change(
      'settle',
      {
        read: [ledgerRef(requestId), monthRef(request)],
        // Many new models of a user at once would go on failing each other.
        turnOnRetry: `settle ${request.userId} ${request.month}`,
        decide: ([record, month]) => {
          const decided = outcomeOf(record, closing);
          return decided ? { result: decided } : { result: 'applied', writes: writesOf(closing, record, month) };
        },
      },
      BUDGET_MS,
    );
    known.forget(requestId);
    return outcome;
  }

  async function find(requestId: string): Promise<KnownRequest | undefined> {
    const [stored] = await documents.get('settle', [ledgerRef(requestId)], { budgetMs: BUDGET_MS });
    return ledgerRecordOf(stored);
  }
}

/** The outcome for a record that was closed before, or is missing; undefined when it is to be closed. */
function outcomeOf({ fields }: Snapshot<StoredRecord>, { reservation, token }: Closing): Outcome | undefined {
  if (!fields) return reservation ? undefined : 'missing';
  if (fields.state === 'open') return undefined;
  return fields.settledBy === token ? 'applied' : 'already';
}

function writesOf(closing: Closing, record: Snapshot<StoredRecord>, month: Snapshot<StoredMonth>): Write[] {
  const { settlement, request, reservation, consumption } = closing;
  const { requestId } = settlement;
  const closed = closedFields(closing);
  const close =
    reservation && !record.fields
      ? create(record.ref, { ...reservationFields(reservation), ...closed })
      : change(record, { ...closed, ...NO_LONGER_OPEN });
  const ofRequest = { ...consumption, ...request };
  const grant = request.onGrant ? [addToGrant({ ...ofRequest, requestId })] : [];
  return [close, monthAddition(month, ofRequest), ...grant];
}

/** Fields of open records alone: nothing else is in the indexes of the sums that budgets are checked against. */
const NO_LONGER_OPEN = { calls: REMOVED, estimateNano: REMOVED };

function closedFields({ settlement, request, consumption, token }: Closing) {
  const { state, calls, settledAtMs } = settlement;
  const { promptTokens: ctx, completionTokens: gen, costNanoUsd: costNano } = consumption.total;
  return {
    state,
    finalCalls: calls,
    totals: { ctx, gen, costNano },
    estimated: calls.some((call) => call.estimated),
    settledAt: settledAtMs,
    settledBy: token,
    expireAt: request.startedAtMs + LEDGER_RETENTION_MS,
  };
}
