import type { DocumentSnapshot, Timestamp } from 'firebase-admin/firestore';
import { type Clock, newId } from '../../lib/clock';
import { consumptionOf, type RequestConsumption } from '../../usage/consumption';
import type { LedgerStore, Settlement } from '../store';
import type { FirestoreClient } from './client';
import { grantAdditions } from './grant-document';
import { keyRecordOf } from './key-document';
import { isDue, type KeyUses } from './key-uses';
import { closedFields, ledgerRecordOf } from './ledger-document';
import { monthAdditions, overflowOf } from './month-document';
import { MonthPage, pageNumber, type Share, shareOf } from './month-page';
import type { Place, Places } from './places';
import { apiKeyRef, grantRef, ledgerRef, monthRef, ownKeyRef } from './refs';
import type { Session } from './session';

const BUDGET_MS = 10_000;

/** What settlements share with other operations. */
export interface SettlementMemory {
  readonly places: Places;
  readonly uses: KeyUses;
  readonly clock: Clock;
}

interface Closing {
  readonly settlement: Settlement;
  readonly consumption: RequestConsumption;
  /** Marks our own commit, so that one whose answer was lost is known again. */
  readonly token: string;
}

/** All that was read to settle one request. */
interface Situation {
  readonly place: Place;
  readonly record: DocumentSnapshot;
  readonly base: DocumentSnapshot;
  /** Set when the key exists and its last use is to be moved. */
  readonly key: DocumentSnapshot | undefined;
}

type Outcome = Awaited<ReturnType<LedgerStore['settle']>>;

/**
 * Settlement: the record is closed, its month, lines and grant are added to and the key's last use is moved in one commit,
 * which fails unless the record is still as it was read: open. So whatever is repeated or raced, one commit applies.
 * The increments need no condition of their own: they are applied with that close or not at all.
 */
export function firestoreSettlement(
  client: FirestoreClient,
  { places, uses, clock }: SettlementMemory,
): Pick<LedgerStore, 'settle'> {
  return {
    settle: async (settlement) => {
      const closing = { settlement, consumption: consumptionOf(settlement.calls), token: newId(clock) };
      const outcome = await client.run({ name: 'settle', budgetMs: BUDGET_MS }, (session) =>
        session.untilDecided(() => attempt(session, closing)),
      );
      places.forget(settlement.requestId);
      return outcome;
    },
  };

  async function attempt(session: Session, closing: Closing): Promise<Outcome> {
    const { requestId } = closing.settlement;
    const place = places.find(requestId) ?? (await findPlace(session, requestId));
    const situation = place && (await survey(session, requestId, place));
    if (!situation) return 'missing';
    const { record } = situation;
    if (record.get('state') !== 'open') return record.get('settledBy') === closing.token ? 'applied' : 'already';
    const pages = await placeLines(session, situation, sharesOf(situation.place, closing.consumption));
    await commit(session, closing, { ...situation, pages });
    const { key } = situation;
    if (key) uses.note({ keyId: situation.place.keyId, hash: key.id, lastUsedAtMs: situation.place.startedAtMs });
    return 'applied';
  }

  async function survey(session: Session, requestId: string, place: Place): Promise<Situation | undefined> {
    const { db } = session;
    const hash = await uses.hashIfDue(session, place.keyId, place.startedAtMs);
    const month = monthRef(db, place.userId, { month: place.month, page: 0 });
    const keyRefs = hash === undefined ? [] : [apiKeyRef(db, hash)];
    const [record, base, stored] = await session.read([ledgerRef(db, requestId), month, ...keyRefs]);
    if (!record?.exists || !base) return undefined;
    const key = keyRecordOf(stored);
    if (key) uses.note(key);
    return { place, record, base, key: key && isDue(key.lastUsedAtMs, place.startedAtMs) ? stored : undefined };
  }
}

async function findPlace(session: Session, requestId: string): Promise<Place | undefined> {
  const [snapshot] = await session.read([ledgerRef(session.db, requestId)]);
  return ledgerRecordOf(snapshot);
}

function sharesOf({ keyId, keyName }: Place, { total, models }: RequestConsumption): Share[] {
  return [...models.map((line) => shareOf('m', line)), shareOf('k', { ...total, id: keyId, name: keyName })];
}

/** Finds the page of every line, reading overflow pages as far as they are needed. */
async function placeLines(
  session: Session,
  { place, base }: Situation,
  shares: readonly Share[],
): Promise<MonthPage[]> {
  const pages = new Map([[0, new MonthPage(0, base)]]);
  let rest = shares;
  for (let generation = 1; ; generation += 1) {
    rest = rest.filter((share) => !pages.get(pageNumber(share, generation - 1))?.take(share));
    if (rest.length === 0) return [...pages.values()];
    const numbers = [...new Set(rest.map((share) => pageNumber(share, generation)))];
    const refs = numbers.map((page) => monthRef(session.db, place.userId, { month: place.month, page }));
    const snapshots = await session.read(refs);
    for (const [index, number] of numbers.entries()) pages.set(number, new MonthPage(number, snapshots[index]));
  }
}

async function commit(
  session: Session,
  { settlement, consumption, token }: Closing,
  { place, record, base, key, pages }: Situation & { readonly pages: readonly MonthPage[] },
): Promise<void> {
  const { db, sdk } = session;
  const { total } = consumption;
  const increment = (by: number) => sdk.FieldValue.increment(by);
  const overflow = pages.filter((page) => page.number > 0 && !page.isEmpty);
  const unlisted = overflow.map(({ number }) => number).filter((number) => !overflowOf(base).includes(number));
  const closed = closedFields(settlement, total, { settledBy: token, startedAtMs: place.startedAtMs });
  const merge = { merge: true };
  await session.commit((writes) => {
    writes.update(record.ref, { ...closed, calls: sdk.FieldValue.delete() }, { lastUpdateTime: timeOf(record) });
    const sums = monthAdditions(base, total, increment);
    const over = unlisted.length > 0 ? { over: sdk.FieldValue.arrayUnion(...unlisted) } : {};
    writes.set(base.ref, { ...sums, ...over, ...pages[0]?.additions(increment) }, merge);
    for (const page of overflow) {
      const ref = monthRef(db, place.userId, { month: place.month, page: page.number });
      writes.set(ref, page.additions(increment), merge);
    }
    if (record.get('onGrant') === true) {
      const used = grantAdditions(sdk, { ...place, requestId: settlement.requestId }, consumption.platformTokens);
      writes.set(grantRef(db, place), used, merge);
    }
    if (key) {
      const use = { lastUsedAt: new Date(place.startedAtMs) };
      writes.update(key.ref, use, { lastUpdateTime: timeOf(key) });
      writes.set(ownKeyRef(db, place), use, merge);
    }
  });
}

function timeOf({ ref, updateTime }: DocumentSnapshot): Timestamp {
  if (!updateTime) throw new Error(`${ref.path} does not exist`);
  return updateTime;
}
