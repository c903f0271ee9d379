import { type Clock, sleep } from '../lib/clock';
import type { Log } from '../lib/log';
import { pack, packEvents } from '../lib/packed';
import type { KeptMax, KeptRun, RunStore } from './run-store';
import type { RunTrace } from './run-trace';
import type { TracedEvent } from './trace-event';

/** A run is written so often: its new events, and that its process lives; the outcome says whether to stop it. */
const WRITE_EVERY_MS = 3_000;
/** A process that has not written for so long is taken for dead. */
const RUN_LEASE_MS = 30_000;
/** The end of a run waits no longer for its last write, which is tried so often. */
const FINISH_MAX_MS = 10_000;
const FINISH_TRIES = 3;
const FINISH_PAUSE_MS = 500;
/** Events in one part, as JSON: at least one. */
const PART_CHARACTERS_MAX = 256 * 1024;
const RUNS_MAX = 1_000;
export const EVALUATIONS_MAX = 20;

/** The bounds on what is kept of a user, as of now. */
export function keptMax({ keptBytes, clock }: { readonly keptBytes: number; readonly clock: Clock }): KeptMax {
  return { runs: RUNS_MAX, bytes: keptBytes, evaluations: EVALUATIONS_MAX, nowMs: clock.nowMs() };
}

/** Parts of a writer. */
interface WriterParts {
  readonly store: Pick<RunStore, 'createRun' | 'writeRun'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly trace: RunTrace;
  /** The run as it is now. */
  run(): KeptRun;
  readonly request: object;
  readonly keptBytes: number;
  /** Called when another process wants the run to be stopped, or has deleted it. */
  stop(): void;
}

/** Writes a run: its beginning, new events every three seconds, its end. Failed writes are repeated. */
export class RunWriter {
  readonly #parts: WriterParts;
  /** Aborted when the run ends or is forgotten. */
  readonly #ending = new AbortController();
  #written: Promise<boolean> | undefined;
  #last: TracedEvent | undefined;
  #isCreated = false;
  #isForgotten = false;
  #hasFailed = false;
  #eventsWritten = 0;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** Begins to write, unless it has begun. */
  begin(): void {
    this.#written ??= this.#writeAll();
  }

  /** Writes nothing any more: the run was deleted. */
  forget(): void {
    this.#isForgotten = true;
    this.#ending.abort();
  }

  /** Writes the end of the run, with its last event, which is not shown yet; resolves false when that failed. */
  async finish(last: TracedEvent): Promise<boolean> {
    this.#last = last;
    this.begin();
    this.#ending.abort();
    const isDone = new AbortController();
    const tooLate = sleep(this.#parts.clock, FINISH_MAX_MS, isDone.signal).then(() => false);
    const isWritten = await Promise.race([this.#written ?? true, tooLate]);
    isDone.abort();
    if (!isWritten) this.#logOnce(new Error(`not written within ${FINISH_MAX_MS} ms`));
    this.forget();
    return isWritten;
  }

  /** Writes until the run has ended; resolves false when its end could not be written. */
  async #writeAll(): Promise<boolean> {
    const { clock } = this.#parts;
    for (let failures = 0; !this.#isForgotten; ) {
      const last = this.#last;
      const isWhole = await this.#write(last).catch((error: unknown) => this.#logOnce(error));
      if (last && isWhole) return true;
      if (last && isWhole === undefined) failures += 1;
      if (failures === FINISH_TRIES) return false;
      if (!last && isWhole !== false) await sleep(clock, WRITE_EVERY_MS, this.#ending.signal);
      if (last && isWhole === undefined) await sleep(clock, FINISH_PAUSE_MS);
    }
    return true;
  }

  /** Writes one part; resolves false while there is more to write. */
  async #write(last: TracedEvent | undefined): Promise<boolean> {
    const { store, trace, stop } = this.#parts;
    await this.#create();
    const from = this.#eventsWritten;
    const events = [...trace.slice(from, PART_CHARACTERS_MAX)];
    const isWhole = from + events.length === trace.length;
    const isEnd = isWhole && last !== undefined;
    if (isEnd) events.push(JSON.stringify(last));
    const to = from + events.length;
    const part = to > from ? { from, to, bytes: await packEvents(events) } : undefined;
    if (this.#isForgotten) return true;
    const outcome = await store.writeRun(this.#runAt(to, isEnd), part);
    this.#eventsWritten = to;
    if (outcome === 'deleted') this.forget();
    if (outcome !== 'ok') stop();
    return isWhole;
  }

  async #create(): Promise<void> {
    if (this.#isCreated) return;
    const { store, request } = this.#parts;
    await store.createRun(this.#runAt(0, false), await pack(request), keptMax(this.#parts));
    this.#isCreated = true;
  }

  /** The run as far as it is written. */
  #runAt(eventCount: number, isEnd: boolean): KeptRun {
    const { message, state, ...run } = this.#parts.run();
    const leaseUntilMs = this.#parts.clock.nowMs() + RUN_LEASE_MS;
    const ending = isEnd ? { state, ...(message !== undefined && { message }) } : { state: 'running' as const };
    return { ...run, ...ending, eventCount, leaseUntilMs };
  }

  /** A store that fails does so with every write. */
  #logOnce(error: unknown): undefined {
    const { log, run } = this.#parts;
    if (!this.#hasFailed) log.error('run not kept', { requestId: run().runId }, error);
    this.#hasFailed = true;
  }
}
