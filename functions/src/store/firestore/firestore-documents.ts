import type { DocumentSnapshot, Query as FirestoreQuery, Timestamp, Transaction } from '@google-cloud/firestore';
import type { Clock } from '../../lib/clock';
import { Lru } from '../../lib/lru';
import type { Change, Documents, Query, Refs, Snapshot, Snapshots, Write } from '../documents';
import type { FirestoreClient, Session } from './client';
import { applyWrites, decoded, momentOf, pathOf } from './fields';
import { isIndexMissing, NOT_FOUND, rpcCodeOf } from './rpc-error';

/** From the look-up of a key to the admission of the same request, with the validation between them. */
const FRESH_MS = 5_000;
const READ_BEFORE_MAX = 1_000;
/** However much there is to list. */
const LISTING_BUDGET_MS = 10_000;

/**
 * The documents of a Firestore database. A change is decided by what was read and committed on the condition that this is
 * still so; while that fails, or the outcome of a commit is unknown, it is read and decided again (ADR 7).
 */
export function firestoreDocuments(client: FirestoreClient, clock: Clock): Documents {
  const inTurn = turns();
  const readBefore = new Lru<string, { readonly snapshot: Snapshot<object>; readonly readAtMs: number }>(
    READ_BEFORE_MAX,
  );

  return {
    get: <const R extends Refs>(name: string, refs: R, inAdvance: Refs = []) =>
      client.run(name, async (session) => {
        const snapshots = await readAll(session, [...refs, ...inAdvance]);
        const readAtMs = clock.nowMs();
        for (const snapshot of snapshots.splice(refs.length))
          readBefore.set(pathOf(snapshot.ref), { snapshot, readAtMs });
        return snapshots as Snapshots<R>;
      }),

    find: (name, query) => client.run(name, (session) => search(session, query), LISTING_BUDGET_MS),

    total: (name, query, field) =>
      client.run(name, async (session) => {
        const totals = await session.call(({ AggregateField }) => {
          const wanted = { count: AggregateField.count(), sum: AggregateField.sum(field) };
          return queryOf(session, query).aggregate(wanted).get();
        });
        return totals.data();
      }),

    change: (name, change) => {
      const { turn, turnOnRetry, budgetMs } = change;
      const decide = (session: Session) =>
        session.untilDecided((tries) =>
          inTurn(tries === 0 ? undefined : turnOnRetry, () => attempt(session, change, tries)),
        );
      return client.run(name, (session) => inTurn(turn, () => decide(session)), budgetMs);
    },
  };

  async function attempt<R extends Refs, T, F extends object>(
    session: Session,
    { read, queries = [], readOnRetry = [], decide, ...change }: Change<R, T, F>,
    tries: number,
  ): Promise<T> {
    const refs = tries === 0 ? read : [...read, ...readOnRetry];
    const known = change.readBefore && tries === 0 ? takeReadBefore(read) : undefined;
    const { snapshots, found } =
      known && queries.length === 0 ? { snapshots: known, found: [] } : await readTogether(session, refs, queries);
    const onRetry = snapshots.splice(read.length);
    const { result, writes = [] } = decide(snapshots as Snapshots<R>, { onRetry, found });
    if (writes.length === 0) return result;
    await commit(session, writes);
    for (const ref of read) readBefore.delete(pathOf(ref));
    return result;
  }

  /** Each is used once: one that has changed since costs a failed commit and a read, no more. */
  function takeReadBefore(refs: Refs): Snapshot<object>[] | undefined {
    const paths = refs.map(pathOf);
    const found = paths.map((path) => readBefore.get(path));
    for (const path of paths) readBefore.delete(path);
    const fresh = found.flatMap((one) =>
      one && Math.abs(clock.nowMs() - one.readAtMs) <= FRESH_MS ? one.snapshot : [],
    );
    return fresh.length === refs.length ? fresh : undefined;
  }
}

/** Runs work of one turn after another, however it ends, and that of different turns side by side; at once without a turn. */
function turns() {
  const tails = new Map<string, Promise<unknown>>();
  return <T>(turn: string | undefined, work: () => Promise<T>): Promise<T> => {
    if (turn === undefined) return work();
    const before = tails.get(turn) ?? Promise.resolve();
    const result = before.then(work, work);
    tails.set(turn, result);
    const done = (): void => {
      if (tails.get(turn) === result) tails.delete(turn);
    };
    result.then(done, done);
    return result;
  };
}

/**
 * Commits all writes or none, in one call that is sent once. A transaction that reads nothing is a plain commit; unlike
 * `WriteBatch.commit`, which repeats itself for up to ten minutes after ambiguous errors, it can be told not to. So what is
 * repeated, and after what, is decided by `untilDecided` alone.
 */
async function commit(session: Session, writes: readonly Write[]): Promise<void> {
  try {
    await session.call(({ db }) =>
      db.runTransaction(async (batch) => applyWrites(session.database, batch, writes), { maxAttempts: 1 }),
    );
  } catch (error) {
    const [missing] = writes.flatMap((write) => (write.kind === 'merge' && write.missing) || []);
    throw missing && rpcCodeOf(error) === NOT_FOUND ? new Error(missing, { cause: error }) : error;
  }
}

/** One round trip for all of them; none for no documents. */
async function readAll(session: Session, refs: Refs): Promise<Snapshot<object>[]> {
  if (refs.length === 0) return [];
  const documents = await session.call(({ db }) => db.getAll(...refs.map((ref) => db.doc(pathOf(ref)))));
  return documents.map((document) => snapshotOf(document));
}

/** Reads as of one moment where there are queries: in a read-only transaction, which takes no locks. */
async function readTogether<F extends object>(session: Session, refs: Refs, queries: readonly Query<F>[]) {
  if (queries.length === 0) return { snapshots: await readAll(session, refs), found: [] };
  const work = async (reads: Pick<Transaction, 'getAll' | 'get'>) => {
    const documents = refs.map((ref) => session.database.db.doc(pathOf(ref)));
    const [snapshots, ...found] = await Promise.all([
      reads.getAll(...documents),
      ...queries.map((query) => reads.get(queryOf(session, query))),
    ]);
    return {
      snapshots: snapshots.map(snapshotOf<object>),
      found: found.map(({ docs }) => docs.map(snapshotOf<F>)),
    };
  };
  try {
    return await session.call(({ db }) => db.runTransaction(work, { readOnly: true }));
  } catch (error) {
    if (!isIndexMissing(error)) throw error;
    const snapshots = await readAll(session, refs);
    return { snapshots, found: await Promise.all(queries.map((query) => search(session, query))) };
  }
}

async function search<F extends object>(session: Session, query: Query<F>): Promise<Snapshot<F>[]> {
  const find = async (found: FirestoreQuery) => (await session.call(() => found.get())).docs;
  try {
    return (await find(queryOf(session, query))).map(snapshotOf<F>);
  } catch (error) {
    if (!query.withoutIndex || !isIndexMissing(error)) throw error;
    return query.withoutIndex({
      get: async <const R extends Refs>(refs: R) => (await readAll(session, refs)) as Snapshots<R>,
      idsBeside: async (ref) => (await find(session.database.db.doc(pathOf(ref)).parent)).map(({ id }) => id),
    });
  }
}

function queryOf<F extends object>({ database: { db } }: Session, query: Query<F>) {
  const { collection, everywhere, below, where = [], orderBy, descending, after, max, select } = query;
  const direction = descending ? 'desc' : 'asc';
  const place = below ? `${pathOf(below)}/${collection}` : collection;
  let found: FirestoreQuery = everywhere ? db.collectionGroup(collection) : db.collection(place);
  for (const [field, operator, value] of where) {
    const sought = typeof value === 'number' ? momentOf(field, value) : value;
    found = found.where(field, operator === 'is' ? '==' : operator, sought);
  }
  if (orderBy !== undefined) found = found.orderBy(orderBy, direction);
  if (after) {
    const last = after.value === undefined ? [] : [momentOf(orderBy ?? '', after.value)];
    found = found.orderBy('__name__', direction).startAfter(...last, after.id);
  }
  if (max !== undefined) found = found.limit(max);
  return select ? found.select(...select) : found;
}

/** A document as the repositories see it. */
export function snapshotOf<F extends object>(document: DocumentSnapshot): Snapshot<F> {
  const { ref, id, createTime, updateTime, readTime } = document;
  const fields = document.data();
  return {
    ref: { path: ref.path.split('/') },
    id,
    fields: fields && (decoded(fields) as F),
    version: updateTime,
    created: createTime ? createTime.seconds * 1e6 + createTime.nanoseconds / 1_000 : 0,
    serverTime: { readMs: wholeMs(readTime), writtenMs: updateTime && wholeMs(updateTime) },
  };
}

/** Cut to whole milliseconds. */
function wholeMs({ seconds, nanoseconds }: Timestamp): number {
  return seconds * 1000 + Math.floor(nanoseconds / 1_000_000);
}
