import { randomUUID } from 'node:crypto';
import type { DocumentData, DocumentSnapshot } from '@google-cloud/firestore';
import type { KeptMax, KeptRun, RunRef, RunStore } from '../../runs/run-store';
import type { FirestoreClient } from './client';
import { keptRunRef, keptRuns, unchanged } from './documents';
import { batchName, deleteParts, documentsOf, readBatch, readPart, setPart } from './run-parts';
import type { Session } from './session';

/** Time for a run of several megabytes. */
const BUDGET_MS = 10_000;
const DELETED_AT_ONCE = 10;

/** Place of a part, and the number of its documents. */
interface PartPlace {
  readonly name: string;
  readonly of: number;
}

/**
 * Kept runs at `users/{uid}/runs/{runId}`, with requests, events and evaluations below them. One that is being deleted
 * loses its start first: it is found no more then, and nothing is added to it, while its parts are removed.
 */
export function firestoreRuns(client: FirestoreClient): RunStore {
  return {
    createRun: async (run, request, max) => {
      await client.decide('createRun', (session) => create(session, run, request), BUDGET_MS);
      await trimAll(run, max);
    },

    writeRun: (run, events) =>
      client.decide(
        'writeRun',
        async (session) => {
          const read = await readRun(session, run);
          if (!read) return 'deleted';
          const { expireAt, stopRequested } = read.data() ?? {};
          await session.commit((writes) => {
            if (events) {
              const { from, to, bytes } = events;
              setPart(writes, read.ref, { name: batchName(from), bytes, expireAt, range: { from, to } });
            }
            const bytes = session.FieldValue.increment(events?.bytes.length ?? 0);
            writes.update(read.ref, { ...progressFields(run), bytes }, unchanged(read));
          });
          return stopRequested ? 'stop requested' : 'ok';
        },
        BUDGET_MS,
      ),

    requestStop: (ref) =>
      client.decide('requestStop', async (session) => {
        const read = await readRun(session, ref);
        if (read) await session.commit((writes) => writes.update(read.ref, { stopRequested: true }, unchanged(read)));
      }),

    findRun: (ref) => client.run('findRun', async (session) => runOf(ref, await readRun(session, ref))),

    readPart: (ref, kind, place) =>
      client.run(
        'readPart',
        async (session) => {
          if (kind === 'events') return readBatch(session, keptRunRef(session.db, ref), place);
          const read = await readRun(session, ref);
          const at: PartPlace | undefined = kind === 'request' ? read?.get('request') : evaluationsOf(read)[place];
          return read && at && { from: place, to: place + 1, bytes: await readPart(session, read.ref, at) };
        },
        BUDGET_MS,
      ),

    listRuns: (userId, { before, max }) =>
      client.run(
        'listRuns',
        async (session) => {
          const all = keptRuns(session.db, userId).orderBy('startedAt', 'desc').orderBy('__name__', 'desc').limit(max);
          const wanted = before ? all.startAfter(new Date(before.startedAtMs), before.runId) : all;
          const documents = await session.find(wanted);
          return documents.flatMap((document) => runOf({ userId, runId: document.id }, document) ?? []);
        },
        BUDGET_MS,
      ),

    deleteRuns: async (userId, runId) => {
      // One that is hidden by a try that failed was there all the same.
      const hidden = new Set<string>();
      await client.decide(
        'deleteRuns',
        async (session) => {
          const all = keptRuns(session.db, userId);
          const ids = runId ? [runId] : (await session.find(all.limit(DELETED_AT_ONCE))).map(({ id }) => id);
          const hideAndRemove = async (id: string): Promise<void> => {
            const ref = { userId, runId: id };
            if ((await hide(session, ref)) || !runId) hidden.add(id);
            await remove(session, ref);
          };
          await Promise.all(ids.map(hideAndRemove));
        },
        BUDGET_MS,
      );
      return hidden.size;
    },

    addEvaluation: async (ref, bytes, max) => {
      const place = { name: `evaluation-${randomUUID()}`, of: documentsOf(bytes) };
      const isKept = await client.decide(
        'addEvaluation',
        async (session) => {
          const read = await readRun(session, ref);
          const places = evaluationsOf(read);
          if (places.some(({ name }) => name === place.name)) return true;
          if (!read || places.length >= max.evaluations) return false;
          await session.commit((writes) => {
            setPart(writes, read.ref, { name: place.name, bytes, expireAt: read.get('expireAt') });
            const evaluations = [...places, place];
            writes.update(
              read.ref,
              { evaluations, bytes: session.FieldValue.increment(bytes.length) },
              unchanged(read),
            );
          });
          return true;
        },
        BUDGET_MS,
      );
      if (isKept) await trimAll(ref, max);
      return isKept;
    },
  };

  /** Each step has its own deadline: there may be many to delete. */
  async function trimAll(kept: RunRef, max: KeptMax): Promise<void> {
    while (await client.run('trimRuns', (session) => trim(session, kept, max), BUDGET_MS));
  }
}

function evaluationsOf(read: DocumentSnapshot | undefined): readonly PartPlace[] {
  return read?.get('evaluations') ?? [];
}

/** The document of a run; undefined when there is none, or it is being deleted. */
async function readRun(session: Session, ref: RunRef): Promise<DocumentSnapshot | undefined> {
  const [read] = await session.read([keptRunRef(session.db, ref)]);
  return read.get('startedAt') === undefined ? undefined : read;
}

async function create(session: Session, run: KeptRun, request: Uint8Array): Promise<void> {
  const ref = keptRunRef(session.db, run);
  const [read] = await session.read([ref]);
  if (read.exists) return;
  const { startedAtMs, expiresAtMs, endpoint, prompt, strategy, rounds, models, stopRequested } = run;
  const expireAt = new Date(expiresAtMs);
  const place: PartPlace = { name: 'request', of: documentsOf(request) };
  const about = { endpoint, prompt, strategy, rounds, models, stopRequested, request: place, bytes: request.length };
  const fields = { ...about, ...progressFields(run), startedAt: new Date(startedAtMs), expireAt };
  await session.commit((writes) => {
    writes.create(ref, fields);
    setPart(writes, ref, { name: place.name, bytes: request, expireAt });
  });
}

/** Deletes some of the oldest other runs of a run's user beyond `max`; resolves true where there may be more. */
async function trim(session: Session, { userId, runId }: RunRef, max: KeptMax): Promise<boolean> {
  const all = keptRuns(session.db, userId);
  const oldest = all.orderBy('startedAt');
  const [runs, bytes] = await Promise.all([session.count(oldest), session.sum(all, 'bytes')]);
  const left = { runs, bytes };
  const isFull = (): boolean => left.runs > max.runs || left.bytes > max.bytes;
  if (!isFull()) return false;
  for (const document of await session.find(oldest.limit(DELETED_AT_ONCE))) {
    if (!isFull()) return false;
    const { state, leaseUntil, bytes: freed = 0 } = document.data();
    const isUnderWay = state === 'running' && leaseUntil.toMillis() > max.nowMs;
    if (isUnderWay || document.id === runId) continue;
    const ref = { userId, runId: document.id };
    await session.untilDecided(async () => {
      await hide(session, ref);
      await remove(session, ref);
    });
    left.runs -= 1;
    left.bytes -= freed;
  }
  return left.runs < runs && isFull();
}

/** Takes a run out of everybody's sight; false when it was not there. */
async function hide(session: Session, ref: RunRef): Promise<boolean> {
  const read = await readRun(session, ref);
  if (!read) return false;
  const none = session.FieldValue.delete();
  await session.commit((writes) => writes.update(read.ref, { startedAt: none, bytes: none }, unchanged(read)));
  return true;
}

/** Removes what is hidden. */
async function remove(session: Session, ref: RunRef): Promise<void> {
  const run = keptRunRef(session.db, ref);
  await deleteParts(session, run);
  await session.commit((writes) => writes.delete(run));
}

function progressFields({ state, message, leaseUntilMs, ...sums }: KeptRun) {
  const { eventCount, promptTokens, completionTokens, costNanoUsd, calls, durationMs } = sums;
  return {
    state,
    ...(message !== undefined && { message }),
    leaseUntil: new Date(leaseUntilMs),
    ...{ eventCount, promptTokens, completionTokens, costNanoUsd, calls, durationMs },
  };
}

function runOf(ref: RunRef, read: DocumentSnapshot | undefined): KeptRun | undefined {
  const fields = read?.data();
  if (!fields) return undefined;
  const { startedAt, expireAt, leaseUntil, request: _, evaluations = [], bytes: __, ...rest }: DocumentData = fields;
  const derived = {
    evaluationCount: evaluations.length,
    startedAtMs: startedAt.toMillis(),
    expiresAtMs: expireAt.toMillis(),
    leaseUntilMs: leaseUntil.toMillis(),
  };
  return { ...ref, ...(rest as Omit<KeptRun, keyof RunRef | keyof typeof derived>), ...derived };
}
