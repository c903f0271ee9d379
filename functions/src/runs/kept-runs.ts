import { isRefusal, type Refusal, refuse, refuseBusy } from '../errors';
import { anySignal } from '../lib/any-signal';
import type { OpenWork } from '../lib/open-work';
import { pack, unpackedBytes, unpackWithin } from '../lib/packed';
import type { Admitted } from './admit';
import { followLog, followStored, type TracePiece } from './follow-run';
import { LiveRun, type LiveRunDeps, type RunToKeep } from './live-run';
import { run } from './run';
import type { EventSink } from './run-context';
import { listRuns, type RunPage, type RunQuery } from './run-list';
import type { KeptRun, RunRef } from './run-store';
import { aliveAt, isRunId } from './run-summary';
import { keptMax } from './run-writer';
import type { TracedEvent } from './trace-event';

/** What keeping runs takes; one for a process. */
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
  readonly evaluationCount: number;
}

/** Streams of runs that a user may have open in one process. */
const READERS_MAX = 20;
const EVALUATIONS_MAX = 20;
/** Evaluations are handed out so many bytes at a time, and one at least. */
const PAGE_BYTES_MAX = 1024 * 1024;
/** Held before it is known how long is what is read: no request is longer, and no page. */
const READ_BYTES = 4 * 1024 * 1024;
const NOBODY_READS: EventSink = { live: true, text: () => undefined, status: () => undefined };

/**
 * The runs that users may come back to: those played in this process, and those in the store. Nothing here tells a run of
 * another user from one that does not exist.
 */
export class KeptRuns {
  readonly #deps: KeptRunsDeps;
  readonly #live = new Map<string, LiveRun>();
  readonly #readers = new Map<string, number>();

  constructor(deps: KeptRunsDeps) {
    this.#deps = deps;
  }

  /**
   * Plays an admitted run and returns at once. A stored run goes on when its client leaves, and what follows it is
   * `follow`; one that is not stored is stopped then, as nobody could come back to it.
   */
  play(admitted: Admitted<unknown>, kept: RunToKeep): LiveRun {
    const live = this.begin(admitted, kept);
    const { clientGone } = admitted.request;
    const signal = live.isStored ? live.stopped : anySignal(clientGone, live.stopped);
    void run({ ...admitted, request: { ...admitted.request, clientGone: signal } }, NOBODY_READS, live.observe);
    return live;
  }

  /**
   * Keeps a run that somebody else plays, who tells its `observe` what happens in it up to the event `end`, and stops it
   * when its `stopped` aborts. `tell` gets each event as soon as readers may have it.
   */
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
    const live = this.#liveRun(ref);
    if (live) return live.summary;
    const found = isRunId(ref.runId) ? await this.#deps.store.findRun(ref) : undefined;
    return found && aliveAt(found, this.#deps.clock.nowMs());
  }

  /** A run with its request. Refuses (503) while there is no memory for it. */
  async read(ref: RunRef): Promise<AskedRun | Refusal | undefined> {
    const { store } = this.#deps;
    const run = await this.find(ref);
    if (!run) return undefined;
    const evaluationCount = await store.countEvaluations(ref);
    const request = await this.#unpack(ref, async () =>
      [await store.readRequest(ref)].filter((packed) => packed !== undefined),
    );
    return isRefusal(request) ? request : { run, request, evaluationCount };
  }

  /** The evaluations of a run from a place on, oldest first: as many as fit into a reply. Refuses as `read` does. */
  async readEvaluations(ref: RunRef, from: number): Promise<Unpacked | Refusal | undefined> {
    if (!(await this.find(ref))) return undefined;
    return this.#unpack(ref, async () => {
      const page: Uint8Array[] = [];
      for (let bytes = 0; bytes < PAGE_BYTES_MAX; ) {
        const packed = await this.#deps.store.readEvaluation(ref, from + page.length);
        if (!packed) break;
        page.push(packed);
        bytes += unpackedBytes(packed);
      }
      return page;
    });
  }

  /** Reads and unpacks, each once there is memory for it. */
  async #unpack({ userId }: RunRef, read: () => Promise<readonly Uint8Array[]>): Promise<Unpacked | Refusal> {
    const memory = this.#deps.memory.shareOf(userId);
    let texts: readonly string[] | undefined;
    try {
      if (memory.hold(READ_BYTES)) texts = await unpackWithin(memory, await read());
    } finally {
      if (!texts) memory.release();
    }
    return texts ? { texts, release: memory.release } : refuseBusy();
  }

  /**
   * The events of a run from `from` on, as they come, up to its end: each once, whoever plays it. Ends when `gone` aborts.
   * Undefined when there is no such run; refuses (429) when its user has too many streams open. What is returned must be
   * read, or `gone` be aborted.
   */
  async follow(
    ref: RunRef & { readonly from: number },
    gone: AbortSignal,
  ): Promise<AsyncGenerator<TracePiece> | Refusal | undefined> {
    const found = await this.find(ref);
    if (!found) return undefined;
    if ((this.#readers.get(ref.userId) ?? 0) >= READERS_MAX) {
      return refuse('rate_limited', `Too many streams of runs are open: at most ${READERS_MAX} at a time`, {
        'retry-after': '10',
      });
    }
    const live = this.#liveRun(ref);
    const { clock, memory, store, openWork } = this.#deps;
    const { from, ...named } = ref;
    const reader = { clock, gone, memory: memory.shareOf(ref.userId) };
    const pieces = live
      ? followLog(live.trace, from, reader)
      : followStored({ ...named, store, stopping: openWork.stopping }, from, reader);
    return this.#counted(ref.userId, pieces, gone);
  }

  /** A part of a user's runs. Refuses (400) what is no `next` of an earlier part. */
  async list(userId: string, query: RunQuery): Promise<RunPage | Refusal> {
    const page = await listRuns(this.#deps, userId, query);
    if (isRefusal(page)) return page;
    return { ...page, runs: page.runs.map((one) => this.#liveRun(one)?.summary ?? one) };
  }

  /** Stops a run, if it is not over; resolves with it as it is then: at once where another process plays it. */
  async stop(ref: RunRef): Promise<KeptRun | undefined> {
    const live = this.#liveRun(ref);
    live?.stop();
    if (live) {
      await live.ended;
      return live.summary;
    }
    const found = await this.find(ref);
    if (found?.state === 'running') await this.#deps.store.requestStop(ref);
    return found;
  }

  /** Stops a run and deletes all that is kept of it; resolves false when there is none. */
  async delete(ref: RunRef): Promise<boolean> {
    const live = this.#liveRun(ref);
    live?.forget();
    live?.stop();
    await live?.ended;
    return isRunId(ref.runId) && ((await this.#deps.store.deleteRun(ref)) || live !== undefined);
  }

  /** Does so with all runs of a user; resolves how many were kept. */
  async deleteAll(userId: string): Promise<number> {
    const live = [...this.#live.values()].filter(({ summary }) => summary.userId === userId);
    for (const one of live) {
      one.forget();
      one.stop();
    }
    await Promise.all(live.map(({ ended }) => ended));
    let deleted = 0;
    for (;;) {
      const some = await this.#deps.store.deleteRuns(userId);
      if (some === 0) return deleted;
      deleted += some;
    }
  }

  /** Whether one more evaluation can be kept with a run: `full` with 20, `gone` where there is no such run. */
  async roomForEvaluation(ref: RunRef): Promise<'room' | 'full' | 'gone'> {
    if (!(await this.find(ref))) return 'gone';
    return (await this.#deps.store.countEvaluations(ref)) < EVALUATIONS_MAX ? 'room' : 'full';
  }

  /** Keeps an evaluation with a run; resolves false when there is no such run, or it has 20 already. */
  async addEvaluation(ref: RunRef, evaluation: object): Promise<boolean> {
    const max = { ...keptMax(this.#deps), evaluations: EVALUATIONS_MAX };
    return isRunId(ref.runId) && this.#deps.store.addEvaluation(ref, await pack(evaluation), max);
  }

  #liveRun({ userId, runId }: RunRef): LiveRun | undefined {
    const live = this.#live.get(runId);
    return live?.summary.userId === userId ? live : undefined;
  }

  /** Counts a stream until it has been read, or its reader has gone. */
  #counted(userId: string, pieces: AsyncGenerator<TracePiece>, gone: AbortSignal): AsyncGenerator<TracePiece> {
    this.#readers.set(userId, (this.#readers.get(userId) ?? 0) + 1);
    let isOpen = true;
    const close = (): void => {
      if (!isOpen) return;
      isOpen = false;
      gone.removeEventListener('abort', close);
      const others = (this.#readers.get(userId) ?? 1) - 1;
      if (others > 0) this.#readers.set(userId, others);
      else this.#readers.delete(userId);
    };
    gone.addEventListener('abort', close);
    if (gone.aborted) close();
    return closing(pieces, close);
  }
}

async function* closing<T>(pieces: AsyncGenerator<T>, close: () => void): AsyncGenerator<T> {
  try {
    yield* pieces;
  } finally {
    close();
  }
}
