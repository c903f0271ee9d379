import { type CancelTimer, type Clock, sleep } from '../lib/clock';
import type { Log } from '../lib/log';
import { pack, packEvents } from '../lib/packed';
import type { RunLog } from './run-log';
import type { KeptMax, KeptRun, RunProgress, RunRef, RunStore, RunWord } from './run-store';

/** A run is written so often: what is new of it, and that its process lives; the reply says whether to stop it. */
const WRITE_EVERY_MS = 3_000;
/** A process that has not written for so long is taken for dead. */
const RUN_LEASE_MS = 30_000;
/** The end of a run waits no longer for its last write, which is tried so often. */
const FINISH_MAX_MS = 10_000;
const FINISH_TRIES = 3;
const FINISH_PAUSE_MS = 500;
/** Events in one batch, as JSON: at least one. */
const BATCH_CHARACTERS_MAX = 256 * 1024;
/** Runs kept of a user. */
const RUNS_MAX = 1_000;

/** The bounds on what is kept of a user, as of now. */
export function keptMax({ keptBytes, clock }: { readonly keptBytes: number; readonly clock: Clock }): KeptMax {
  return { runs: RUNS_MAX, bytes: keptBytes, nowMs: clock.nowMs() };
}

/** What a writer works with. */
export interface WriterParts {
  readonly store: Pick<RunStore, 'createRun' | 'writeRun'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly trace: RunLog;
  /** The run as it is now; how much of it is written and its lease are the writer's. */
  run(): KeptRun;
  readonly request: object;
  readonly keptBytes: number;
  /** Told what each write finds. */
  heed(word: RunWord): void;
}

/**
 * Writes a run to the store while it is under way: when it begins, then what is new at most once a second, and its end.
 * What cannot be written is tried again with the next write; the run goes on meanwhile.
 */
export class RunWriter {
  readonly #parts: WriterParts;
  #writing: Promise<unknown> = Promise.resolve();
  #cancel: CancelTimer = () => {};
  #isCreated = false;
  #isOver = false;
  #hasFailed = false;
  /** Events that are in the store. */
  #written = 0;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Writes what there is now, and from then on what is new. */
  begin(): void {
    this.#writing = this.#write().then(() => this.#writeLater());
  }

  /** Writes nothing any more: the run was deleted. */
  forget(): void {
    this.#isOver = true;
    this.#cancel();
  }

  /** Writes the end of the run, with events that nobody has seen yet; resolves false when that could not be done. */
  async finish(last: readonly string[]): Promise<boolean> {
    this.#cancel();
    const before = this.#writing;
    const isDone = new AbortController();
    const tooLate = sleep(this.#parts.clock, FINISH_MAX_MS, isDone.signal).then(() => false);
    const finished = await Promise.race([before.then(() => this.#finish(last, isDone.signal)), tooLate]);
    isDone.abort();
    if (!finished) this.#tell(new Error(`not written within ${FINISH_MAX_MS} ms`));
    this.#isOver = true;
    this.#cancel();
    return finished;
  }

  async #finish(last: readonly string[], isDone: AbortSignal): Promise<boolean> {
    this.#cancel();
    for (let tries = 1; ; tries += 1) {
      if (this.#isOver || (await this.#write(last))) return true;
      if (tries === FINISH_TRIES || isDone.aborted) return false;
      await sleep(this.#parts.clock, FINISH_PAUSE_MS, isDone);
    }
  }

  #writeLater(): void {
    if (this.#isOver) return;
    this.#cancel = this.#parts.clock.after(WRITE_EVERY_MS, () => {
      this.#writing = this.#write().then(() => this.#writeLater());
    });
  }

  /** Writes all that is new; false when that could not be done. */
  async #write(last?: readonly string[]): Promise<boolean> {
    try {
      if (!this.#isCreated) await this.#create();
      if (this.#isOver) return true;
      const { trace, store } = this.#parts;
      for (let isWhole = false; !isWhole && !this.#isOver; ) {
        const from = this.#written;
        const more = trace.slice(from, BATCH_CHARACTERS_MAX);
        isWhole = from + more.length === trace.length;
        const events = isWhole && last ? [...more, ...last] : more;
        const to = from + events.length;
        const batch = to > from ? { from, to, bytes: await packEvents(events) } : undefined;
        const word = await store.writeRun(this.#ref, this.#progress(to, isWhole && last !== undefined), batch);
        this.#written = to;
        if (word === 'gone') this.forget();
        this.#parts.heed(word);
      }
      return true;
    } catch (error) {
      this.#tell(error);
      return false;
    }
  }

  async #create(): Promise<void> {
    const { store, request } = this.#parts;
    const begun = { ...this.#parts.run(), ...this.#progress(0, false) };
    await store.createRun(begun, await pack(request), keptMax(this.#parts));
    this.#isCreated = true;
  }

  get #ref(): RunRef {
    const { userId, runId } = this.#parts.run();
    return { userId, runId };
  }

  #progress(eventCount: number, isLast: boolean): RunProgress {
    const { state, message, promptTokens, completionTokens, costNanoUsd, calls, durationMs } = this.#parts.run();
    return {
      state: isLast ? state : 'running',
      ...(isLast && message !== undefined && { message }),
      eventCount,
      ...{ promptTokens, completionTokens, costNanoUsd, calls, durationMs },
      leaseUntilMs: this.#parts.clock.nowMs() + RUN_LEASE_MS,
    };
  }

  /** Once for each run: a store that fails does so every second. */
  #tell(error: unknown): void {
    if (!this.#hasFailed) this.#parts.log.error('run not kept', { requestId: this.#ref.runId }, error);
    this.#hasFailed = true;
  }
}
