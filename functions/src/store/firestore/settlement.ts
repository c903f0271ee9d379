import type { DocumentSnapshot } from '@google-cloud/firestore';
import { consumptionOf, type RequestConsumption } from '../../ledger/consumption';
import { LEDGER_RETENTION_MS, type LedgerStore, type Reservation, type Settlement } from '../../ledger/ledger-store';
import { type Clock, newId } from '../../lib/clock';
import type { FirestoreClient } from './client';
import { ledgerRef, monthRef, unchanged, wellFormed } from './documents';
import { addToGrant } from './grants';
import { ledgerRecordOf, reservationFields } from './ledger';
import type { Memory } from './memory';
import { monthAddition } from './months';
import { Serial } from './serial';
import type { Session } from './session';

const BUDGET_MS = 10_000;

interface Closing {
  readonly settlement: Settlement;
  /** Given where the record may be missing and is then to be made, closed. */
  readonly reservation?: Reservation;
  readonly consumption: RequestConsumption;
  /** Marks our own commit, so that one whose answer was lost is known again. */
  readonly token: string;
}

type Outcome = Awaited<ReturnType<LedgerStore['settle']>>;

/**
 * Settlement: the record is closed, and its month, lines and grant are added to, in one commit, which fails unless the
 * record is still as it was read: open. So whatever is repeated or raced, one commit applies.
 */
export function firestoreSettlement(
  client: FirestoreClient,
  memory: Memory,
  clock: Clock,
): Pick<LedgerStore, 'settle' | 'abandon'> {
  const turns = new Serial();
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
    const closing = { settlement, consumption, token: newId(clock), ...(reservation && { reservation }) };
    const { requestId } = settlement;
    const { userId, month } = reservation ?? memory.requests.get(requestId) ?? { userId: requestId };
    // Those that collided take turns: many new models of a user at once would go on failing each other.
    const inTurn = (session: Session, tries: number): Promise<Outcome> =>
      tries === 0 ? attempt(session, closing) : turns.run(`${userId} ${month}`, () => attempt(session, closing));
    const outcome = await client.decide('settle', inTurn, BUDGET_MS);
    memory.requests.delete(requestId);
    return outcome;
  }

  async function attempt(session: Session, closing: Closing): Promise<Outcome> {
    const { settlement, reservation, consumption } = closing;
    const { requestId } = settlement;
    const { db } = session;
    const ref = ledgerRef(db, requestId);
    const known = reservation ?? memory.requests.get(requestId);
    const request = known ?? ledgerRecordOf((await session.read([ref]))[0]);
    if (!request) return 'missing';
    const [record, month] = await session.read([ref, monthRef(db, request)]);
    const outcome = outcomeOf(record, closing);
    if (outcome) return outcome;
    const addToMonth = monthAddition(session, { ...request, ...consumption }, month);
    const closed = closedFields(closing, request.startedAtMs);
    await session.commit((writes) => {
      if (record.exists) writes.update(ref, { ...closed, ...noLongerOpen(session) }, unchanged(record));
      else if (reservation) writes.create(ref, { ...reservationFields(reservation), ...closed });
      addToMonth(writes);
      if (request.onGrant) addToGrant(session, writes, { ...consumption, ...request, requestId });
    });
    return 'applied';
  }
}

/** What became of the record before; undefined when it is still to be closed. */
function outcomeOf(record: DocumentSnapshot, { reservation, token }: Closing): Outcome | undefined {
  if (!record.exists) return reservation ? undefined : 'missing';
  if (record.get('state') === 'open') return undefined;
  return record.get('settledBy') === token ? 'applied' : 'already';
}

/** What only open records have: nothing else is in the indexes of the sums that budgets are checked against. */
function noLongerOpen({ FieldValue }: Session) {
  return { calls: FieldValue.delete(), estimateNano: FieldValue.delete() };
}

/** What closing a record changes, besides that. */
function closedFields({ settlement, consumption, token }: Closing, startedAtMs: number) {
  const { state, calls, settledAtMs } = settlement;
  const { promptTokens: ctx, completionTokens: gen, costNanoUsd: costNano } = consumption.total;
  return {
    state,
    finalCalls: calls.map(wellFormed),
    totals: { ctx, gen, costNano },
    estimated: calls.some((call) => call.estimated),
    settledAt: new Date(settledAtMs),
    settledBy: token,
    expireAt: new Date(startedAtMs + LEDGER_RETENTION_MS),
  };
}
