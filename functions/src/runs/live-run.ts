import type { ByteBudget } from '../lib/byte-budget';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { RunRequest } from './admit';
import { oneLine } from './run-list';
import type { KeptRun, RunStore } from './run-store';
import { RunTrace } from './run-trace';
import { RunWriter } from './run-writer';
import type { RunBegan, RunEnded, TracedEvent, TraceEvent } from './trace-event';

/** The parts of a run that are kept beside its trace. */
export interface RunToKeep {
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

const LABEL_CHARACTERS = 100;
const NOT_KEPT = 'This run could not be kept: it is not in the list of runs';

/** A run that is played in this process, with its trace: for all who follow it here, and for the store. */
export class LiveRun {
  /** The trace as far as it may be shown. */
  readonly trace: RunTrace;
  readonly isStored: boolean;
  readonly #writer: RunWriter | undefined;
  readonly #stop = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  readonly #release: () => void;
  #run: KeptRun;

  constructor(deps: LiveRunDeps, request: RunRequest, { prompt, request: body, isStored }: RunToKeep) {
    const { clock, store, log, keptMs, keptBytes, tell } = deps;
    const { startedAtMs, caller } = request;
    this.isStored = isStored;
    this.#run = newRun(request, prompt, startedAtMs + keptMs);
    const memory = deps.memory.shareOf(caller.userId);
    this.#release = memory.release;
    const show = (event: TracedEvent): void => {
      this.#count(event);
      tell?.(event);
      this.#writer?.begin();
    };
    this.trace = new RunTrace({ clock, startedAtMs, memory, show });
    const run = (): KeptRun => this.summary;
    const parts = { store, clock, log, keptBytes, trace: this.trace, run, request: body, stop: () => this.stop() };
    this.#writer = isStored ? new RunWriter(parts) : undefined;
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

  /** Writes nothing any more: it is being deleted. */
  forget(): void {
    this.#writer?.forget();
  }

  #count(event: TracedEvent): void {
    if (event.type === 'run') this.#run = { ...this.#run, ...aboutOf(event) };
    if (event.type !== 'call' || !('spend' in event) || !event.spend) return;
    const { promptTokens, completionTokens, costNanoUsd, calls } = this.#run;
    this.#run = {
      ...this.#run,
      promptTokens: promptTokens + event.spend.promptTokens,
      completionTokens: completionTokens + event.spend.completionTokens,
      costNanoUsd: costNanoUsd + event.spend.costNanoUsd,
      calls: calls + 1,
    };
  }

  /** The end is shown once it is written: whoever has seen it may rely on finding the run again. */
  async #end(end: RunEnded): Promise<void> {
    this.trace.flush();
    const atMs = this.trace.ageMs;
    const { outcome: state, message, promptTokens, completionTokens, costNanoUsd, calls } = end;
    const sums = { promptTokens, completionTokens, costNanoUsd, calls };
    this.#run = { ...this.#run, state, ...(message !== undefined && { message }), ...sums, durationMs: atMs };
    const isWritten = await this.#writer?.finish({ ...end, seq: this.trace.length, atMs });
    if (isWritten === false) this.trace.observe({ type: 'limitation', text: NOT_KEPT });
    this.trace.end(end, isWritten === false ? this.trace.ageMs : atMs);
    this.#release();
    this.#ended.resolve();
  }
}

/** A run of which only the request is known. */
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
    evaluationCount: 0,
  };
}

function aboutOf(began: RunBegan): Pick<KeptRun, 'strategy' | 'rounds' | 'models'> {
  const { strategy, rounds, participants, arbiter } = began;
  const labels = [...participants, arbiter].map(({ label }) => oneLine(label, LABEL_CHARACTERS));
  return { strategy, rounds, models: [...new Set(labels)] };
}
