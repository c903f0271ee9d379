import { randomUUID } from 'node:crypto';
import type { DocumentData, DocumentSnapshot } from '@google-cloud/firestore';
import type { KeptRun, RunProgress, RunRef, RunStore } from '../../runs/run-store';
import type { FirestoreClient } from './client';
import { keptRunRef, keptRuns, unchanged } from './documents';
import { batchName, deleteParts, documentsOf, readBatches, readPart, setPart } from './run-parts';
import type { Session } from './session';

/** Time for a run of several megabytes. */
const BUDGET_MS = 10_000;
const DELETED_AT_ONCE = 10;

/** Where a part is, and in how many documents. */
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
      await client.run('createRun', (session) => trim(session, run.userId, max), BUDGET_MS);
    },

    writeRun: (ref, progress, batch) =>
      client.decide(
        'writeRun',
        async (session) => {
          const read = await readRun(session, ref);
          if (!read) return 'gone';
          const { expireAt, stopRequested } = read.data() ?? {};
          await session.commit((writes) => {
            if (batch) {
              const { from, to, bytes } = batch;
              setPart(writes, read.ref, { name: batchName(from), bytes, expireAt, range: { from, to } });
            }
            writes.update(read.ref, progressFields(progress), unchanged(read));
          });
          return stopRequested ? 'stop' : 'go on';
        },
        BUDGET_MS,
      ),

    requestStop: (ref) =>
      client.decide('requestStop', async (session) => {
        const read = await readRun(session, ref);
        if (read) await session.commit((writes) => writes.update(read.ref, { stopRequested: true }, unchanged(read)));
      }),

    findRun: (ref) => client.run('findRun', async (session) => runOf(ref, await readRun(session, ref))),

    readRequest: (ref) =>
      ofRun('readRequest', ref, async (session, read) => readPart(session, read.ref, read.get('request'))),

    readEvents: (ref, from) =>
      client.run('readEvents', (session) => readBatches(session, keptRunRef(session.db, ref), from), BUDGET_MS),

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

    deleteRun: async (ref) => {
      let existed = false;
      await client.decide(
        'deleteRun',
        async (session) => {
          existed = (await hide(session, ref)) || existed;
          await remove(session, ref);
        },
        BUDGET_MS,
      );
      return existed;
    },

    deleteRuns: (userId) =>
      client.decide(
        'deleteRuns',
        async (session) => {
          const some = await session.find(keptRuns(session.db, userId).limit(DELETED_AT_ONCE));
          const refs = some.map(({ id }) => ({ userId, runId: id }));
          await Promise.all(refs.map((ref) => hide(session, ref)));
          await Promise.all(refs.map((ref) => remove(session, ref)));
          return refs.length;
        },
        BUDGET_MS,
      ),

    addEvaluation: (ref, bytes, max) => {
      const place = { name: `evaluation-${randomUUID()}`, of: documentsOf(bytes) };
      return client.decide(
        'addEvaluation',
        async (session) => {
          const read = await readRun(session, ref);
          const places: readonly PartPlace[] = read?.get('evaluations') ?? [];
          if (places.some(({ name }) => name === place.name)) return true;
          if (!read || places.length >= max) return false;
          await session.commit((writes) => {
            setPart(writes, read.ref, { name: place.name, bytes, expireAt: read.get('expireAt') });
            writes.update(read.ref, { evaluations: [...places, place] }, unchanged(read));
          });
          return true;
        },
        BUDGET_MS,
      );
    },

    readEvaluations: async (ref) => {
      const found = await ofRun('readEvaluations', ref, (session, read) => {
        const places: readonly PartPlace[] = read.get('evaluations') ?? [];
        return Promise.all(places.map((place) => readPart(session, read.ref, place)));
      });
      return found ?? [];
    },
  };

  function ofRun<T>(
    name: string,
    ref: RunRef,
    work: (session: Session, read: DocumentSnapshot) => Promise<T>,
  ): Promise<T | undefined> {
    return client.run(
      name,
      async (session) => {
        const read = await readRun(session, ref);
        return read && work(session, read);
      },
      BUDGET_MS,
    );
  }
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
  const about = { endpoint, prompt, strategy, rounds, models, stopRequested, request: place };
  const fields = { ...about, ...progressFields(run), startedAt: new Date(startedAtMs), expireAt };
  await session.commit((writes) => {
    writes.create(ref, fields);
    setPart(writes, ref, { name: place.name, bytes: request, expireAt });
  });
}

/** Deletes a user's oldest runs beyond `max`, some of them where there are many. */
async function trim(session: Session, userId: string, max: number): Promise<void> {
  const oldest = keptRuns(session.db, userId).orderBy('startedAt');
  const surplus = (await session.count(oldest)) - max;
  if (surplus <= 0) return;
  const documents = await session.find(oldest.limit(Math.min(surplus, DELETED_AT_ONCE)));
  for (const { id: runId } of documents) {
    await session.untilDecided(async () => {
      await hide(session, { userId, runId });
      await remove(session, { userId, runId });
    });
  }
}

/** Takes a run out of everybody's sight; false when it was not there. */
async function hide(session: Session, ref: RunRef): Promise<boolean> {
  const read = await readRun(session, ref);
  if (!read) return false;
  const startedAt = session.FieldValue.delete();
  await session.commit((writes) => writes.update(read.ref, { startedAt }, unchanged(read)));
  return true;
}

/** Removes what is hidden. */
async function remove(session: Session, ref: RunRef): Promise<void> {
  const run = keptRunRef(session.db, ref);
  await deleteParts(session, run);
  await session.commit((writes) => writes.delete(run));
}

function progressFields({ state, message, leaseUntilMs, ...sums }: RunProgress) {
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
  const { startedAt, expireAt, leaseUntil, request: _, evaluations: __, ...rest }: DocumentData = fields;
  const moments = {
    startedAtMs: startedAt.toMillis(),
    expiresAtMs: expireAt.toMillis(),
    leaseUntilMs: leaseUntil.toMillis(),
  };
  return { ...ref, ...(rest as Omit<KeptRun, keyof RunRef | keyof typeof moments>), ...moments };
}
