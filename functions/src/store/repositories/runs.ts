import { type Clock, newId } from '../../lib/clock';
import type { KeptMax, KeptRun, RunRef, RunStore } from '../../runs/run-store';
import {
  change,
  type Decision,
  type Documents,
  erase,
  Increment,
  merge,
  REMOVED,
  type Snapshot,
  type Write,
} from '../documents';
import type { HasEnded } from './ledger';
import { at } from './refs';
import {
  eventsPlace,
  type PartPlace,
  partWrites,
  placeOf,
  readEvents,
  readPlace,
  removeRun,
  runRef,
} from './run-parts';

/** Time for a run of several megabytes. */
const BUDGET_MS = 10_000;
const DELETED_AT_ONCE = 10;

type Moments = 'startedAtMs' | 'expiresAtMs' | 'leaseUntilMs';

/** A run as it is stored. */
interface StoredRun extends Omit<KeptRun, keyof RunRef | Moments | 'evaluationCount'> {
  /** Removed first when the run is deleted: from then on it is not found, and nothing is added to it. */
  readonly startedAt?: number;
  readonly expireAt: number;
  readonly leaseUntil: number;
  readonly request: PartPlace;
  readonly evaluations?: readonly PartPlace[];
  /** Packed, of all parts. */
  readonly bytes?: number;
  /** The process that plays it, where processes have names. */
  readonly owner?: string;
}

interface RunDeps {
  readonly clock: Clock;
  readonly owner?: string;
  readonly hasEnded?: HasEnded;
}

/** Kept runs, at `users/{uid}/runs/{runId}`, with requests, events and evaluations in `runParts` below them. */
export function runRepository(documents: Documents, { clock, owner, hasEnded }: RunDeps): RunStore {
  return {
    createRun: async (run, bytes, max) => {
      const request = placeOf('request', bytes);
      const fields = { ...runFields(run, request, owner), bytes: bytes.length };
      await documents.change('createRun', {
        read: [runRef(run)],
        budgetMs: BUDGET_MS,
        decide: ([stored]) => ({
          result: undefined,
          writes: stored.fields
            ? []
            : [change(stored, fields), ...partWrites(run, request, { bytes, expireAt: run.expiresAtMs })],
        }),
      });
      await trim(run, max);
    },

    writeRun: (run, events) =>
      changeRun('writeRun', run, (stored, fields) => {
        if (!fields) return { result: 'deleted' };
        const { expireAt, stopRequested } = fields;
        const parts = events ? partWrites(run, eventsPlace(events.from, events.bytes), { ...events, expireAt }) : [];
        const progress = { ...progressOf(run), bytes: new Increment(events?.bytes.length ?? 0) };
        return { result: stopRequested ? 'stop requested' : 'ok', writes: [change(stored, progress), ...parts] };
      }),

    requestStop: (ref) =>
      changeRun('requestStop', ref, (stored, fields) => ({
        result: undefined,
        writes: fields ? [change(stored, { stopRequested: true })] : [],
      })),

    findRun: async (ref) => {
      const [stored] = await documents.get('findRun', [runRef<StoredRun>(ref)]);
      return runOf(ref.userId, stored);
    },

    shareRun: (ref, hash) =>
      changeRun('shareRun', ref, (stored, fields) => {
        if (!fields) return { result: false };
        const link = { uid: ref.userId, runId: ref.runId, expireAt: fields.expireAt };
        const made = hash === undefined ? [] : [merge(shareRef(hash), link)];
        return { result: true, writes: [change(stored, { share: hash ?? REMOVED }), ...linkEnded(fields), ...made] };
      }),

    findShared: async (hash) => {
      const [{ fields }] = await documents.get('findShared', [shareRef(hash)]);
      const { uid: userId = '', runId = '' } = fields ?? {};
      const run =
        fields && runOf(userId, (await documents.get('findShared', [runRef<StoredRun>({ userId, runId })]))[0]);
      return run?.share === hash ? run : undefined;
    },

    readPart: async (ref, kind, place) => {
      if (kind === 'events') return readEvents(documents, ref, place);
      const [{ fields }] = await documents.get('readPart', [runRef<StoredRun>(ref)]);
      if (fields?.startedAt === undefined) return undefined;
      const part = kind === 'request' ? fields.request : fields.evaluations?.[place];
      return part && { from: place, to: place + 1, bytes: await readPlace(documents, ref, part) };
    },

    listRuns: async (userId, { before, max }) => {
      const after = before && { value: before.startedAtMs, id: before.runId };
      const query = { ...runsOf(userId), orderBy: 'startedAt', descending: true, after, max } as const;
      const found = await documents.find<StoredRun>('listRuns', query);
      return found.flatMap((stored) => runOf(userId, stored) ?? []);
    },

    listThread: async (userId, thread, max) => {
      const query = { ...runsOf(userId), where: [['thread', '==', thread]], max } as const;
      const found = await documents.find<StoredRun>('listThread', query);
      return found.flatMap((stored) => runOf(userId, stored) ?? []);
    },

    rateRun: (ref, rating) =>
      changeRun('rateRun', ref, (stored, fields) =>
        fields ? { result: true, writes: [change(stored, { rating: rating ?? REMOVED })] } : { result: false },
      ),

    deleteRuns: async (userId, runId) => {
      if (runId !== undefined) return (await deleteRun({ userId, runId })) ? 1 : 0;
      const some = await documents.find('deleteRuns', { ...runsOf(userId), max: DELETED_AT_ONCE, select: [] });
      await Promise.all(some.map(({ id }) => deleteRun({ userId, runId: id })));
      return some.length;
    },

    addEvaluation: async (ref, bytes, max) => {
      const place = placeOf(`evaluation-${newId(clock)}`, bytes);
      const isKept = await changeRun('addEvaluation', ref, (stored, fields) => {
        if (!fields) return { result: false };
        const { evaluations = [], expireAt } = fields;
        if (evaluations.some(({ name }) => name === place.name)) return { result: true };
        if (evaluations.length >= max.evaluations) return { result: false };
        const added = { evaluations: [...evaluations, place], bytes: new Increment(bytes.length) };
        return { result: true, writes: [change(stored, added), ...partWrites(ref, place, { bytes, expireAt })] };
      });
      if (isKept) await trim(ref, max);
      return isKept;
    },
  };

  /** The run of a document; undefined when there is none, or it is being deleted. */
  function runOf(userId: string, { id, fields }: Snapshot<StoredRun>): KeptRun | undefined {
    if (fields?.startedAt === undefined) return undefined;
    const { startedAt, expireAt, leaseUntil, request: _, evaluations = [], bytes: __, owner, ...rest } = fields;
    // Waiting for the end of a lease is needless where its holder is known to be dead.
    const isLost = rest.state === 'running' && owner !== undefined && hasEnded?.(owner);
    const moments = { startedAtMs: startedAt, expiresAtMs: expireAt, leaseUntilMs: isLost ? 0 : leaseUntil };
    return { ...rest, ...moments, userId, runId: id, evaluationCount: evaluations.length };
  }

  /** Changes a run, which has no fields where it is not there or being deleted. */
  function changeRun<T>(
    name: string,
    ref: RunRef,
    decide: (stored: Snapshot<StoredRun>, fields: StoredRun | undefined) => Decision<T>,
  ): Promise<T> {
    return documents.change(name, {
      read: [runRef<StoredRun>(ref)],
      budgetMs: BUDGET_MS,
      decide: ([stored]) => decide(stored, stored.fields?.startedAt === undefined ? undefined : stored.fields),
    });
  }

  /** Takes a run out of sight, then removes it; false when it was not there. */
  async function deleteRun(ref: RunRef): Promise<boolean> {
    let existed = false;
    await changeRun('deleteRuns', ref, (stored, fields) => {
      if (!fields) return { result: undefined };
      existed = true;
      const hidden = change(stored, { startedAt: REMOVED, bytes: REMOVED, expireAt: 0 });
      return { result: undefined, writes: [hidden, ...linkEnded(fields)] };
    });
    await removeRun(documents, ref);
    return existed;
  }

  /** Deletes the oldest other runs of a run's user beyond `max`. */
  async function trim(run: RunRef, max: KeptMax): Promise<void> {
    for (;;) {
      const surplus = await surplusBeside(run, max);
      if (surplus.length === 0) return;
      await Promise.all(surplus.map(({ id }) => deleteRun({ userId: run.userId, runId: id })));
    }
  }

  /** Some of them. */
  async function surplusBeside({ userId, runId }: RunRef, max: KeptMax): Promise<Snapshot<StoredRun>[]> {
    const left = await documents.total('trimRuns', runsOf(userId), 'bytes');
    const isFull = () => left.count > max.runs || left.sum > max.bytes;
    if (!isFull()) return [];
    const query = { ...runsOf(userId), orderBy: 'startedAt', max: DELETED_AT_ONCE } as const;
    const oldest = await documents.find<StoredRun>('trimRuns', query);
    return oldest.filter(({ id, fields }) => {
      const isUnderWay = fields?.state === 'running' && fields.leaseUntil > max.nowMs;
      if (isUnderWay || id === runId || !isFull()) return false;
      left.count -= 1;
      left.sum -= fields?.bytes ?? 0;
      return true;
    });
  }
}

/** The place of a shared run, named by the hash of its link's token. */
const shareRef = (hash: string) => at<{ readonly uid: string; readonly runId: string }>('shares', hash);
const linkEnded = ({ share }: StoredRun): Write[] => (share === undefined ? [] : [erase(shareRef(share))]);

const runsOf = (userId: string) => ({ collection: 'runs', below: at('users', userId) }) as const;

/** The fields of a run without evaluations and rating. */
export function runFields(run: KeptRun, request: PartPlace, owner: string | undefined): Record<string, unknown> {
  const { startedAtMs: startedAt, expiresAtMs: expireAt, endpoint, prompt, strategy, rounds, models } = run;
  const { thread, after } = run;
  const about = { endpoint, prompt, strategy, rounds, models, thread, after, stopRequested: run.stopRequested, owner };
  return { ...about, ...progressOf(run), startedAt, expireAt, request };
}

function progressOf({ state, message, leaseUntilMs: leaseUntil, ...sums }: KeptRun): Record<string, unknown> {
  const { eventCount, promptTokens, completionTokens, costNanoUsd, calls, durationMs } = sums;
  return { state, message, leaseUntil, eventCount, promptTokens, completionTokens, costNanoUsd, calls, durationMs };
}
