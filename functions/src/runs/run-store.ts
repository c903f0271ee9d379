/** Names a kept run. Whoever names another's run finds none. */
export interface RunRef {
  readonly userId: string;
  /** The request id of the run. */
  readonly runId: string;
}

/** `stopped`: by its user, or as its client has left. */
export type RunState = 'running' | 'complete' | 'stopped' | 'failed';

/** How far a run has come: what every write replaces. */
export interface RunProgress {
  readonly state: RunState;
  /** Why it failed, as its user is told. */
  readonly message?: string;
  /** Of its trace, as far as it is written; the next event's `seq`. */
  readonly eventCount: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
  /** Model calls that were made. */
  readonly calls: number;
  readonly durationMs: number;
  /** A run that is not over by then has lost its process, unless this has been moved on. */
  readonly leaseUntilMs: number;
}

/** A kept run without its trace: what lists are made of. Texts are well-formed and without control characters. */
export interface KeptRun extends RunRef, RunProgress {
  readonly startedAtMs: number;
  /** The endpoint's name in the ledger. */
  readonly endpoint: string;
  /** The beginning of the prompt. */
  readonly prompt: string;
  readonly strategy: string;
  readonly rounds: number;
  /** The labels of its participants and its arbiter. */
  readonly models: readonly string[];
  /** It is forgotten from here on. */
  readonly expiresAtMs: number;
  readonly stopRequested: boolean;
}

/** Some events of a trace that follow each other: packed by `lib/packed.ts`, a few megabytes at most. */
export interface EventBatch {
  /** The first one's `seq`. */
  readonly from: number;
  /** The `seq` behind the last one. */
  readonly to: number;
  readonly bytes: Uint8Array;
}

/** What a write finds: nothing to heed, a wish that the run be stopped, or that the run was deleted. */
export type RunWord = 'go on' | 'stop' | 'gone';

/** Bounds on what is kept of one user: beyond either of them the oldest runs are deleted, except those under way. */
export interface KeptMax {
  readonly runs: number;
  /** Packed, of requests, events and evaluations. */
  readonly bytes: number;
  /** Runs that are not over and whose lease ends later are under way. */
  readonly nowMs: number;
}

/** A place in a list that is sorted by the start of runs, newest first, and by their ids, highest first. */
export type RunPlace = Pick<KeptRun, 'startedAtMs' | 'runId'>;

/**
 * The runs that users may come back to. Each is written by the process that plays it, and read and deleted by any. What
 * failed may be tried again: runs and batches are stored under their names.
 */
export interface RunStore {
  /** Keeps a run that begins, with its request, packed. */
  createRun(run: KeptRun, request: Uint8Array, max: KeptMax): Promise<void>;
  /** Adds a batch of events, if there is one, and replaces the progress. Writes nothing once the run was deleted. */
  writeRun(ref: RunRef, progress: RunProgress, batch?: EventBatch): Promise<RunWord>;
  /** Asks the process that plays a run to stop it. */
  requestStop(ref: RunRef): Promise<void>;
  findRun(ref: RunRef): Promise<KeptRun | undefined>;
  /** The packed request of a run. */
  readRequest(ref: RunRef): Promise<Uint8Array | undefined>;
  /** The batch that holds the event `from`; undefined when it is not written, or its run was deleted. */
  readEvents(ref: RunRef, from: number): Promise<EventBatch | undefined>;
  /** A user's runs, newest first: `max` at most, those behind a place where one is given. */
  listRuns(userId: string, page: { readonly before?: RunPlace | undefined; readonly max: number }): Promise<KeptRun[]>;
  /** Deletes a run and all that belongs to it; resolves false when there was none. */
  deleteRun(ref: RunRef): Promise<boolean>;
  /** Deletes some of a user's runs as `deleteRun` does; resolves how many: none are left once that is none. */
  deleteRuns(userId: string): Promise<number>;
  /** Keeps a packed evaluation with a run; resolves false when there is no such run, or it has so many already. */
  addEvaluation(ref: RunRef, evaluation: Uint8Array, max: KeptMax & { readonly evaluations: number }): Promise<boolean>;
  /** Counts the evaluations of a run; 0 where there is no such run. */
  countEvaluations(ref: RunRef): Promise<number>;
  /** One packed evaluation of a run, by its place: the oldest is 0. */
  readEvaluation(ref: RunRef, place: number): Promise<Uint8Array | undefined>;
}
