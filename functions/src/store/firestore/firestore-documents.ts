import type { DocumentSnapshot, Query as FirestoreQuery, Timestamp, Transaction } from '@google-cloud/firestore';
import type { Clock } from '../../lib/clock';
import { Lru } from '../../lib/lru';
import type { Change, Documents, Query, Reads, Refs, Snapshot, Snapshots, Total, Write } from '../documents';
import { Serial } from '../serial';
import type { FirestoreClient } from './client';
import { applyWrites, commitError, decoded, momentOf, pathOf } from './fields';
import { isIndexMissing } from './rpc-error';
import type { Session } from './session';

/** From the look-up of a key to the admission of the same request, with the validation between them. */
const FRESH_MS = 5_000;
const READ_BEFORE_MAX = 1_000;

/**
 * The documents of a Firestore database. A change is decided by what was read and committed on the condition that this is
 * still so; while that fails, or the outcome of a commit is unknown, it is read and decided again (ADR 7).
 */
export function firestoreDocuments(client: FirestoreClient, clock: Clock): Documents {
  const turns = new Serial();
  const readBefore = new Lru<string, { readonly snapshot: Snapshot<object>; readonly readAtMs: number }>(
    READ_BEFORE_MAX,
  );

  return {
    get: (name, refs, { inAdvance = [], budgetMs } = {}) =>
      client.run(name, (session) => get(session, refs, inAdvance), budgetMs),

    find: <F extends object>(name: string, query: Query<F>, budgetMs?: number) =>
      client.run(name, (session) => search(session, query), budgetMs),

    together: (name, reads) => client.run(name, (session) => readTogether(session, reads)),

    total: (name, query, field) => client.run(name, (session) => total(session, query, field)),

    change: (name, change, budgetMs) => {
      const { turn, turnOnRetry } = change;
      const decide = (session: Session) =>
        session.untilDecided((tries) =>
          turns.run(tries === 0 ? undefined : turnOnRetry, () => attempt(session, change, tries)),
        );
      return client.run(name, (session) => turns.run(turn, () => decide(session)), budgetMs);
    },
  };

  async function get<const R extends Refs>(session: Session, refs: R, inAdvance: Refs): Promise<Snapshots<R>> {
    const snapshots = await readAll(session, [...refs, ...inAdvance]);
    const readAtMs = clock.nowMs();
    for (const snapshot of snapshots.splice(refs.length)) readBefore.set(pathOf(snapshot.ref), { snapshot, readAtMs });
    return snapshots as Snapshots<R>;
  }

  async function attempt<R extends Refs, T, F extends object, Q extends object>(
    session: Session,
    change: Change<R, T, F, Q>,
    tries: number,
  ): Promise<T> {
    const { read, readOnRetry = [], together = [], decide } = change;
    const known = change.readBefore && tries === 0 ? takeReadBefore(read) : undefined;
    const snapshots = known ?? (await readAll(session, tries === 0 ? read : [...read, ...readOnRetry]));
    const pairs = await Promise.all(together.map((reads) => readTogether(session, reads)));
    const onRetry = snapshots.splice(read.length);
    const { result, writes = [] } = decide(snapshots as Snapshots<R>, { tries, onRetry, together: pairs });
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

/**
 * Commits all writes or none, in one call that is sent once. A transaction that reads nothing is a plain commit; unlike
 * `WriteBatch.commit`, which repeats itself for up to ten minutes after ambiguous errors, it can be told not to. So what is
 * repeated, and after what, is decided by `untilDecided` alone.
 */
async function commit(session: Session, writes: readonly Write[]): Promise<void> {
  try {
    await session.call(({ db }) =>
      db.runTransaction(async (transaction) => applyWrites(session, transaction, writes), { maxAttempts: 1 }),
    );
  } catch (error) {
    throw commitError(error, writes);
  }
}

/** One round trip for all of them; none for no documents. */
async function readAll(session: Session, refs: Refs): Promise<Snapshot<object>[]> {
  if (refs.length === 0) return [];
  const documents = await session.call(({ db }) => db.getAll(...refs.map((ref) => db.doc(pathOf(ref)))));
  return documents.map((document) => snapshotOf(document));
}

/** Reads as of one moment: in a read-only transaction, which takes no locks, unless it is one query. */
async function readTogether<F extends object, Q extends object>(session: Session, { refs, query }: Reads<F, Q>) {
  if (refs.length === 0) return { read: [], found: await search(session, query) };
  const work = async (reads: Pick<Transaction, 'getAll' | 'get'>) => {
    const documents = refs.map((ref) => session.database.db.doc(pathOf(ref)));
    const [read, { docs }] = await Promise.all([reads.getAll(...documents), reads.get(queryOf(session, query))]);
    return { read: read.map(snapshotOf<F>), found: docs.map(snapshotOf<Q>) };
  };
  return session.call(({ db }) => db.runTransaction(work, { readOnly: true }));
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

/** Counted by the server. */
async function total(session: Session, query: Query, field: string): Promise<Total> {
  const totals = await session.call(({ AggregateField }) => {
    const wanted = { count: AggregateField.count(), sum: AggregateField.sum(field) };
    return queryOf(session, query).aggregate(wanted).get();
  });
  return totals.data();
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
