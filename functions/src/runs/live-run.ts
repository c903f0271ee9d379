import type { ByteBudget, ByteShare } from '../lib/byte-budget';
import { type Clock, sleep } from '../lib/clock';
import type { Log } from '../lib/log';
import { pack, packEvents } from '../lib/packed';
import type { RunRequest } from './admit';
import { oneLine } from './run-list';
import type { KeptMax, KeptRun, RunStore, RunThread } from './run-store';
import { RunTrace } from './run-trace';
import type { RunBegan, RunEnded, TracedEvent, TraceEvent } from './trace-event';

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
const LABEL_CHARACTERS = 100;
const NOT_KEPT = 'This run could not be kept: it is not in the list of runs';

/** The parts of a run that are kept beside its trace. */
export interface RunToKeep extends RunThread {
  /** Lists show its beginning. */
  readonly prompt: string;
  /** The body of the request as it is shown again: files without their data. */
  readonly request: object;
  /** Unset: nothing is written, and the run cannot be come back to. */
  readonly isStored: boolean;
}

/** Dependencies of live runs. */
export interface LiveRunDeps {
  readonly store: RunStore;
  readonly memory: ByteBudget;
  readonly clock: Clock;
  readonly log: Log;
  /** Time for which runs are kept. */
  readonly keptMs: number;
  /** Packed bytes kept of one user at most. */
  readonly keptBytes: number;
  /** Called with each event as it is shown. */
  readonly tell?: ((event: TracedEvent) => void) | undefined;
}

/** The bounds on what is kept of a user, as of now. */
export function keptMax({ keptBytes, clock }: Pick<LiveRunDeps, 'keptBytes' | 'clock'>): KeptMax {
  return { runs: RUNS_MAX, bytes: keptBytes, evaluations: EVALUATIONS_MAX, nowMs: clock.nowMs() };
}

/** A run that is played in this process, with its trace: for all who follow it here, and for the store. */
export class LiveRun {
  /** The trace as far as it may be shown. */
  readonly trace: RunTrace;
  readonly isStored: boolean;
  readonly #deps: LiveRunDeps;
  readonly #request: object;
  readonly #memory: ByteShare;
  readonly #stop = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  /** Aborted when the run ends or is forgotten: no write is waited for any more. */
  readonly #ending = new AbortController();
  #run: KeptRun;
  #written: Promise<boolean> | undefined;
  /** The end, which is shown once it is written. */
  #last: TracedEvent | undefined;
  #isForgotten = false;
  #hasFailed = false;
  #isCreated = false;
  #eventsWritten = 0;

  constructor(deps: LiveRunDeps, request: RunRequest, { prompt, request: body, isStored, ...place }: RunToKeep) {
    const { clock, memory, keptMs } = deps;
    const { startedAtMs, caller } = request;
    this.isStored = isStored;
    this.#deps = deps;
    this.#request = body;
    this.#run = { ...newRun(request, prompt, startedAtMs + keptMs), ...place };
    this.#memory = memory.shareOf(caller.userId);
    const show = (event: TracedEvent): void => this.#show(event);
    this.trace = new RunTrace({ clock, startedAtMs, memory: this.#memory, show });
  }

  /** Takes the events of the run. */
  readonly observe = (event: TraceEvent): void => {
    if (event.type === 'end') void this.#end(event);
    else this.trace.observe(event);
  };

  /** Aborted when the run is to be stopped. */
  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  /** Resolves once the last event is written, or cannot be, and readers have it. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** The run as it is now. */
  get summary(): KeptRun {
    const { state, durationMs } = this.#run;
    const now = { eventCount: this.trace.length, durationMs: state === 'running' ? this.trace.ageMs : durationMs };
    return { ...this.#run, ...now };
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Writes nothing any more: it was deleted, or its end is written. */
  forget(): void {
    this.#isForgotten = true;
    this.#ending.abort();
  }

  #show(event: TracedEvent): void {
    if (event.type === 'run') this.#run = { ...this.#run, ...aboutOf(event) };
    if (event.type === 'call' && 'spend' in event && event.spend) {
      const { promptTokens, completionTokens, costNanoUsd, calls } = this.#run;
      this.#run = {
        ...this.#run,
        promptTokens: promptTokens + event.spend.promptTokens,
        completionTokens: completionTokens + event.spend.completionTokens,
        costNanoUsd: costNanoUsd + event.spend.costNanoUsd,
        calls: calls + 1,
      };
    }
    this.#deps.tell?.(event);
    if (this.isStored) this.#written ??= this.#writeAll();
  }

  /** The end is shown once it is written: whoever has seen it may rely on finding the run again. */
  async #end(end: RunEnded): Promise<void> {
    this.trace.flush();
    const { ageMs: atMs } = this.trace;
    const { outcome: state, message, promptTokens, completionTokens, costNanoUsd, calls } = end;
    const sums = { promptTokens, completionTokens, costNanoUsd, calls };
    this.#run = { ...this.#run, state, ...(message !== undefined && { message }), ...sums, durationMs: atMs };
    const isWritten = !this.isStored || (await this.#finish({ ...end, seq: this.trace.length, atMs }));
    if (!isWritten) this.trace.observe({ type: 'limitation', text: NOT_KEPT });
    this.trace.end(end, isWritten ? atMs : this.trace.ageMs);
    this.#memory.release();
    this.#ended.resolve();
  }

  async #finish(last: TracedEvent): Promise<boolean> {
    this.#last = last;
    this.#written ??= this.#writeAll();
    this.#ending.abort();
    const isDone = new AbortController();
    const tooLate = sleep(this.#deps.clock, FINISH_MAX_MS, isDone.signal).then(() => false);
    const isWritten = await Promise.race([this.#written, tooLate]);
    isDone.abort();
    if (!isWritten) this.#logOnce(new Error(`not written within ${FINISH_MAX_MS} ms`));
    this.forget();
    return isWritten;
  }

  /** Writes the beginning, new events every three seconds, and the end; resolves false when that could not be written. */
  async #writeAll(): Promise<boolean> {
    const { clock } = this.#deps;
    for (let failures = 0; !this.#isForgotten; ) {
      const last = this.#last;
      const written = await this.#writePart(last).catch((error: unknown) => this.#logOnce(error));
      if (written === 'part') continue;
      if (last && written === 'all') return true;
      if (last) failures += 1;
      if (failures === FINISH_TRIES) break;
      await (last ? sleep(clock, FINISH_PAUSE_MS) : sleep(clock, WRITE_EVERY_MS, this.#ending.signal));
    }
    return this.#isForgotten;
  }

  /** Writes what is new, or a part of much; `last` comes with the end of it. */
  async #writePart(last: TracedEvent | undefined): Promise<'all' | 'part'> {
    const { store } = this.#deps;
    const from = this.#eventsWritten;
    if (!this.#isCreated) await store.createRun(this.#runAt(0), await pack(this.#request), keptMax(this.#deps));
    this.#isCreated = true;
    const events = [...this.trace.slice(from, PART_CHARACTERS_MAX)];
    const isWhole = from + events.length === this.trace.length;
    const isEnd = isWhole && last !== undefined;
    if (isEnd) events.push(JSON.stringify(last));
    const to = from + events.length;
    const part = to > from ? { from, to, bytes: await packEvents(events) } : undefined;
    if (this.#isForgotten) return 'all';
    const outcome = await store.writeRun(this.#runAt(to, isEnd), part);
    this.#eventsWritten = to;
    if (outcome === 'deleted') this.forget();
    if (outcome !== 'ok') this.stop();
    return isWhole ? 'all' : 'part';
  }

  /** The run as far as it is written. */
  #runAt(eventCount: number, isEnd = false): KeptRun {
    const { message, state, ...run } = this.summary;
    const leaseUntilMs = this.#deps.clock.nowMs() + RUN_LEASE_MS;
    const ending = isEnd ? { state, ...(message !== undefined && { message }) } : { state: 'running' as const };
    return { ...run, ...ending, eventCount, leaseUntilMs };
  }

  /** A store that fails does so with every write. */
  #logOnce(error: unknown): undefined {
    if (!this.#hasFailed) this.#deps.log.error('run not kept', { requestId: this.#run.runId }, error);
    this.#hasFailed = true;
  }
}

const NO_SUMS = { promptTokens: 0, completionTokens: 0, costNanoUsd: 0, calls: 0, durationMs: 0 };
const NOTHING_YET = { strategy: '', rounds: 0, models: [], eventCount: 0, ...NO_SUMS };

/** A run of which only the request is known. */
function newRun({ id, caller, startedAtMs, endpoint }: RunRequest, prompt: string, expiresAtMs: number): KeptRun {
  return {
    userId: caller.userId,
    runId: id,
    startedAtMs,
    endpoint,
    prompt: oneLine(prompt),
    ...NOTHING_YET,
    state: 'running',
    leaseUntilMs: 0,
    expiresAtMs,
    stopRequested: false,
    evaluationCount: 0,
  };
}

function aboutOf({
  strategy,
  rounds,
  participants,
  arbiter,
}: RunBegan): Pick<KeptRun, 'strategy' | 'rounds' | 'models'> {
  const labels = [...participants, arbiter].map(({ label }) => oneLine(label, LABEL_CHARACTERS));
  return { strategy, rounds, models: [...new Set(labels)] };
}
