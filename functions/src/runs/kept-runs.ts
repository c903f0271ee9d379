import { isRefusal, type Refusal, refuse, refuseBusy } from '../errors';
import { anySignal } from '../lib/any-signal';
import { FairSlots } from '../lib/fair-slots';
import type { OpenWork } from '../lib/open-work';
import { pack, readWithin, unpackedBytes } from '../lib/packed';
import type { Admitted } from './admit';
import { followLive, followStored, listOf, lostEnd, type TracePiece } from './follow-run';
import { EVALUATIONS_MAX, keptMax, LiveRun, type LiveRunDeps, type RunToKeep } from './live-run';
import { run } from './run';
import type { EventSink } from './run-context';
import { aliveAt, isRunId, LOST_MESSAGE, listRuns, type RunPage, type RunQuery } from './run-list';
import type { KeptRun, RunPart, RunRating, RunRef } from './run-store';
import type { TracedEvent } from './trace-event';

/** Dependencies of kept runs; one object for a process. */
export interface KeptRunsDeps extends LiveRunDeps {
  /** The end of the process waits for runs whose clients have left. */
  readonly openWork: Pick<OpenWork, 'begin' | 'stopping'>;
}

/** Texts of JSON that were unpacked for a reply, and hold memory until they are released. */
export interface Unpacked {
  readonly texts: readonly string[];
  release(): void;
}

/** A run with its request. */
export interface AskedRun {
  readonly run: KeptRun;
  /** The request of `RunToKeep`: one text, or none where a run is not stored. */
  readonly request: Unpacked;
}

/** Streams of runs that a user may have open in one process. */
const READERS_MAX = 20;
/** Evaluations are handed out so many bytes at a time, and one at least. */
const PAGE_BYTES_MAX = 1024 * 1024;
/** Runs of one conversation that are listed. */
const THREAD_MAX = 200;
const SHARED = 'shared';
const UNREAD: EventSink = { live: true, text: () => undefined, status: () => undefined };

/** The runs that users may come back to, of this process and in the store; that of another user looks like none. */
export class KeptRuns {
  readonly #deps: KeptRunsDeps;
  readonly #live = new Map<string, LiveRun>();
  readonly #readers = new FairSlots(Number.POSITIVE_INFINITY, { ownMax: READERS_MAX });

  constructor(deps: KeptRunsDeps) {
    this.#deps = deps;
  }

  /** Plays an admitted run and returns at once. A stored run goes on when its client leaves; another is stopped then. */
  play(admitted: Admitted<unknown>, kept: RunToKeep): LiveRun {
    const live = this.begin(admitted, kept);
    const { clientGone } = admitted.request;
    const signal = live.isStored ? live.stopped : anySignal(clientGone, live.stopped);
    void run({ ...admitted, request: { ...admitted.request, clientGone: signal } }, UNREAD, live.observe);
    return live;
  }

  /** Keeps a run that is played elsewhere, which calls `observe`; `tell` has each event as soon as readers may have it. */
  begin(
    { request }: Pick<Admitted<unknown>, 'request'>,
    kept: RunToKeep,
    tell?: (event: TracedEvent) => void,
  ): LiveRun {
    const isStored = kept.isStored && this.#deps.keptMs > 0;
    const live = new LiveRun({ ...this.#deps, tell }, request, { ...kept, isStored });
    const over = this.#deps.openWork.begin();
    this.#live.set(request.id, live);
    void live.ended.then(() => {
      this.#live.delete(request.id);
      over();
    });
    return live;
  }

  /** A run as it is now. */
  async find(ref: RunRef): Promise<KeptRun | undefined> {
    return this.#liveRun(ref)?.summary ?? this.#findStored(ref);
  }

  /** A run with its request. Refuses (503) while there is no memory for it. */
  async read(ref: RunRef): Promise<AskedRun | Refusal | undefined> {
    const stored = await this.#findStored(ref);
    const live = this.#liveRun(ref)?.summary;
    const { evaluationCount = 0, rating } = stored ?? {};
    const run = live ? { ...live, evaluationCount, ...(rating && { rating }) } : stored;
    if (!run) return undefined;
    const request = await this.#unpack(ref, async () => listOf(await this.#deps.store.readPart(ref, 'request', 0)));
    return isRefusal(request) ? request : { run, request };
  }

  /** A shared run that is over: its request, and then its events, line by line. Refuses as `read` does. */
  async readWhole(shared: KeptRun): Promise<Unpacked | Refusal | undefined> {
    const run = aliveAt(shared, this.#deps.clock.nowMs());
    if (!run) return undefined;
    // Those who read by links take nothing of the memory that the run's own user has.
    const whole = await this.#unpack({ userId: SHARED }, () => this.#allParts(run));
    if (isRefusal(whole) || run.message !== LOST_MESSAGE) return whole;
    return { ...whole, texts: [...whole.texts, lostEnd(run, run.eventCount)] };
  }

  /** The request and all events; one that was deleted meanwhile has only those read before. */
  async #allParts(run: KeptRun): Promise<RunPart[]> {
    const { store } = this.#deps;
    const parts = listOf(await store.readPart(run, 'request', 0));
    for (let from = 0; parts.length > 0 && from < run.eventCount; ) {
      const part = await store.readPart(run, 'events', from);
      if (!part) break;
      parts.push(part);
      from = part.to;
    }
    return parts;
  }

  /** The evaluations of a run from a place on, oldest first: as many as fit into a reply. Refuses as `read` does. */
  async readEvaluations(ref: RunRef, from: number): Promise<Unpacked | Refusal | undefined> {
    if (!(await this.find(ref))) return undefined;
    return this.#unpack(ref, async () => {
      const page: RunPart[] = [];
      for (let bytes = 0; bytes < PAGE_BYTES_MAX; ) {
        const part = await this.#deps.store.readPart(ref, 'evaluation', from + page.length);
        if (!part) break;
        page.push(part);
        bytes += unpackedBytes(part);
      }
      return page;
    });
  }

  /** Events of a run from `from` on, up to its end or `gone`; refuses (429) one stream too many. The result must be read. */
  async follow(
    ref: RunRef & { readonly from: number },
    gone: AbortSignal,
  ): Promise<AsyncGenerator<TracePiece> | Refusal | undefined> {
    if (!(await this.find(ref))) return undefined;
    const close = this.#readers.tryTake(ref.userId);
    if (!close) {
      return refuse('rate_limited', `Too many streams of runs are open: at most ${READERS_MAX} at a time`, {
        'retry-after': '10',
      });
    }
    gone.addEventListener('abort', close);
    if (gone.aborted) close();
    return closing(this.#pieces(ref, gone), close);
  }

  /** A part of a user's runs. Refuses (400) what is no `next` of an earlier part. */
  async list(userId: string, query: RunQuery): Promise<RunPage | Refusal> {
    const page = await listRuns(this.#deps, userId, query);
    if (isRefusal(page)) return page;
    return { ...page, runs: page.runs.map((one) => this.#liveRun(one)?.summary ?? one) };
  }

  /** The runs of the conversation that a run belongs to, oldest first. */
  async thread(ref: RunRef): Promise<readonly KeptRun[] | undefined> {
    const run = await this.find(ref);
    if (!run) return undefined;
    const { clock, store } = this.#deps;
    const kept = await store.listThread(ref.userId, run.thread ?? run.runId, THREAD_MAX);
    const others = kept.filter(({ runId }) => runId !== run.runId);
    const now = others.flatMap((one) => this.#liveRun(one)?.summary ?? aliveAt(one, clock.nowMs()) ?? []);
    return [...now, run].sort((one, other) => one.startedAtMs - other.startedAtMs);
  }

  /** Rates a run, once more or no more; resolves false when there is no such run. */
  async rate(ref: RunRef, rating: RunRating | undefined): Promise<boolean> {
    return isRunId(ref.runId) && this.#deps.store.rateRun(ref, rating);
  }

  /** Stops a run, if it is not over; resolves with it as it is then: at once where another process plays it. */
  async stop(ref: RunRef): Promise<KeptRun | undefined> {
    const live = this.#liveRun(ref);
    live?.stop();
    await live?.ended;
    const found = live?.summary ?? (await this.find(ref));
    if (found?.state === 'running') await this.#deps.store.requestStop(ref);
    return found;
  }

  /** Stops and deletes one run of a user, or all; resolves the number of those that were kept. */
  async delete(userId: string, runId?: string): Promise<number> {
    if (runId !== undefined && !isRunId(runId)) return 0;
    const isMeant = ({ summary }: LiveRun): boolean =>
      summary.userId === userId && summary.runId === (runId ?? summary.runId);
    const live = [...this.#live.values()].filter(isMeant);
    for (const one of live) {
      one.forget();
      one.stop();
    }
    await Promise.all(live.map(({ ended }) => ended));
    for (let deleted = 0; ; ) {
      const some = await this.#deps.store.deleteRuns(userId, runId);
      deleted += some;
      if (some === 0 || runId !== undefined) return Math.max(deleted, live.length);
    }
  }

  /** Room for one more evaluation with a run: `full` with 20, `gone` where there is no such run. */
  async roomForEvaluation(ref: RunRef): Promise<'room' | 'full' | 'gone'> {
    const run = await this.#findStored(ref);
    if (!run) return 'gone';
    return run.evaluationCount < EVALUATIONS_MAX ? 'room' : 'full';
  }

  /** Keeps an evaluation with a run; resolves false when there is no such run, or it has 20 already. */
  async addEvaluation(ref: RunRef, evaluation: object): Promise<boolean> {
    return isRunId(ref.runId) && this.#deps.store.addEvaluation(ref, await pack(evaluation), keptMax(this.#deps));
  }

  #liveRun({ userId, runId }: RunRef): LiveRun | undefined {
    const live = this.#live.get(runId);
    return live?.summary.userId === userId ? live : undefined;
  }

  async #findStored(ref: RunRef): Promise<KeptRun | undefined> {
    const found = isRunId(ref.runId) ? await this.#deps.store.findRun(ref) : undefined;
    return found && aliveAt(found, this.#deps.clock.nowMs());
  }

  #pieces(ref: RunRef & { readonly from: number }, gone: AbortSignal): AsyncGenerator<TracePiece> {
    const live = this.#liveRun(ref);
    if (live) return followLive(live.trace, ref.from, gone);
    const { clock, store, openWork } = this.#deps;
    const memory = this.#deps.memory.shareOf(ref.userId);
    // Once the process is to end, its readers go on in another.
    const signal = anySignal(gone, openWork.stopping);
    return closing(followStored(ref, { store, clock, memory, signal }), memory.release);
  }

  /** Reads and unpacks within the memory of a user. */
  async #unpack(
    { userId }: Pick<RunRef, 'userId'>,
    read: () => Promise<readonly RunPart[]>,
  ): Promise<Unpacked | Refusal> {
    const memory = this.#deps.memory.shareOf(userId);
    const parts = await readWithin(memory, read);
    return parts ? { texts: parts.map(({ text }) => text), release: memory.release } : refuseBusy();
  }
}

async function* closing<T>(pieces: AsyncGenerator<T>, close: () => void): AsyncGenerator<T> {
  try {
    yield* pieces;
  } finally {
    close();
  }
}
