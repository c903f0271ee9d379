import type { ByteBudget } from '../lib/byte-budget';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { RunRequest } from './admit';
import { RunLog } from './run-log';
import type { KeptRun, RunStore } from './run-store';
import { oneLine } from './run-summary';
import { RunWriter } from './run-writer';
import { boundTrace } from './trace-bound';
import type { Observe, RunBegan, RunEnded, TracedEvent, TraceEvent } from './trace-event';
import { createTraceRecorder } from './trace-recorder';

/** What is kept of a run beside its trace. */
export interface RunToKeep {
  /** What lists show the beginning of. */
  readonly prompt: string;
  /** The body of the request as it is shown again: files without their data. */
  readonly request: object;
  /** Unset: nothing is written, and nobody can come back to the run. */
  readonly isStored: boolean;
}

/** What live runs work with. */
export interface LiveRunDeps {
  readonly store: RunStore;
  readonly memory: ByteBudget;
  readonly clock: Clock;
  readonly log: Log;
  /** How long runs are kept. */
  readonly keptMs: number;
  /** Packed bytes kept of one user at most. */
  readonly keptBytes: number;
  /** Gets each event as it is shown. */
  readonly tell?: ((event: TracedEvent) => void) | undefined;
}

const LABEL_CHARACTERS = 100;
const NOT_KEPT = 'This run could not be kept: it is not in the list of runs';
/** Of the end of a run, which is told before it is known whether it could be written. */
type Ended = RunEnded & Pick<TracedEvent, 'atMs'>;

/** A run that is played in this process, with its trace: for all who follow it here, and for the store. */
export class LiveRun {
  /** Takes what happens in the run. */
  readonly observe: Observe;
  /** The trace as far as it may be shown. */
  readonly trace = new RunLog();
  readonly isStored: boolean;
  readonly #writer: RunWriter | undefined;
  readonly #stop = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  readonly #bound: (event: TraceEvent) => readonly TraceEvent[];
  readonly #release: () => void;
  readonly #clock: Clock;
  readonly #tell: LiveRunDeps['tell'];
  #run: KeptRun;
  #hasBegun = false;

  constructor(deps: LiveRunDeps, request: RunRequest, kept: RunToKeep) {
    const { clock, log, store, memory, keptMs, keptBytes } = deps;
    const { startedAtMs, caller } = request;
    this.#clock = clock;
    this.#tell = deps.tell;
    this.isStored = kept.isStored;
    this.#run = newRun(request, kept.prompt, startedAtMs + keptMs);
    const share = memory.shareOf(caller.userId);
    this.#release = share.release;
    this.#bound = boundTrace(share);
    const recorder = createTraceRecorder(clock, startedAtMs, (event) => this.#record(event));
    this.observe = recorder.observe;
    const heed: ConstructorParameters<typeof RunWriter>[0]['heed'] = (word) => {
      if (word !== 'go on') this.stop();
    };
    const { request: body } = kept;
    const written = { store, clock, log, trace: this.trace, run: () => this.summary, request: body, keptBytes, heed };
    this.#writer = kept.isStored ? new RunWriter(written) : undefined;
  }

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
    const { state, startedAtMs, durationMs } = this.#run;
    return {
      ...this.#run,
      eventCount: this.trace.length,
      durationMs: state === 'running' ? this.#clock.nowMs() - startedAtMs : durationMs,
    };
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Writes nothing any more: it is being deleted. */
  forget(): void {
    this.#writer?.forget();
  }

  #record({ seq: _, atMs, ...event }: TracedEvent): void {
    for (const kept of this.#bound(event as TraceEvent)) {
      if (kept.type === 'end') void this.#end({ ...kept, atMs });
      else this.#push(kept, atMs);
    }
  }

  #push(event: TraceEvent, atMs: number): void {
    if (event.type === 'run') this.#run = { ...this.#run, ...aboutOf(event) };
    if (event.type === 'call' && 'spend' in event && event.spend) {
      const { promptTokens, completionTokens, costNanoUsd } = event.spend;
      const { calls, ...sums } = this.#run;
      this.#run = {
        ...sums,
        promptTokens: sums.promptTokens + promptTokens,
        completionTokens: sums.completionTokens + completionTokens,
        costNanoUsd: sums.costNanoUsd + costNanoUsd,
        calls: calls + 1,
      };
    }
    this.#show({ ...event, seq: this.trace.length, atMs });
    this.#begin();
  }

  #show(event: TracedEvent): void {
    this.trace.push(JSON.stringify(event));
    this.#tell?.(event);
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#writer?.begin();
  }

  /** The end is shown once it is written: whoever has seen it may rely on finding the run again. */
  async #end({ atMs, ...end }: Ended): Promise<void> {
    const { outcome: state, message, promptTokens, completionTokens, costNanoUsd, calls } = end;
    const sums = { promptTokens, completionTokens, costNanoUsd, calls };
    this.#run = { ...this.#run, state, ...(message !== undefined && { message }), ...sums, durationMs: atMs };
    this.#begin();
    const seq = this.trace.length;
    const isWritten = (await this.#writer?.finish([JSON.stringify({ ...end, seq, atMs })])) ?? true;
    if (!isWritten) this.#show({ type: 'limitation', text: NOT_KEPT, seq, atMs });
    this.#show({ ...end, seq: this.trace.length, atMs });
    this.trace.end();
    this.#release();
    this.#ended.resolve();
  }
}

/** A run of which nothing is known but its request. */
function newRun({ id, caller, startedAtMs, endpoint }: RunRequest, prompt: string, expiresAtMs: number): KeptRun {
  return {
    userId: caller.userId,
    runId: id,
    startedAtMs,
    endpoint,
    prompt: oneLine(prompt),
    strategy: '',
    rounds: 0,
    models: [],
    state: 'running',
    eventCount: 0,
    promptTokens: 0,
    completionTokens: 0,
    costNanoUsd: 0,
    calls: 0,
    durationMs: 0,
    leaseUntilMs: 0,
    expiresAtMs,
    stopRequested: false,
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
