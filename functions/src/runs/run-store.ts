/** Names a kept run. Another user's run is not found under it. */
export interface RunRef {
  readonly userId: string;
  /** The request id of the run. */
  readonly runId: string;
}

/** `stopped`: by its user, or as its client has left. */
export type RunState = 'running' | 'complete' | 'stopped' | 'failed';

/** The place of a run in a conversation: the id of its first run, and the run whose answer this one goes on from. */
export interface RunThread {
  readonly thread?: string | undefined;
  readonly after?: string | undefined;
}

/** A user's opinion of a run. */
export interface RunRating {
  readonly answer?: 'good' | 'bad' | undefined;
  /** The seat of the participant whose text was better than the answer. */
  readonly better?: string | undefined;
  readonly words?: string | undefined;
}

/** A kept run without its trace, as lists show it. Texts are well-formed and without control characters. */
export interface KeptRun extends RunRef, RunThread {
  readonly startedAtMs: number;
  /** The endpoint's name in the ledger. */
  readonly endpoint: string;
  /** The beginning of the prompt. */
  readonly prompt: string;
  readonly strategy: string;
  readonly rounds: number;
  /** The labels of its participants and its arbiter. */
  readonly models: readonly string[];
  /** The run is forgotten from here on. */
  readonly expiresAtMs: number;
  readonly stopRequested: boolean;
  readonly state: RunState;
  /** The reason of a failure, in words for its user. */
  readonly message?: string;
  /** Events of its trace that are written: the `seq` of the next one. */
  readonly eventCount: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly costNanoUsd: number;
  /** Model calls that were made. */
  readonly calls: number;
  readonly durationMs: number;
  /** A running run has lost its process when this passes without being moved on. */
  readonly leaseUntilMs: number;
  readonly evaluationCount: number;
  readonly rating?: RunRating;
  /** Hash of the token of the link by which anybody may read it. */
  readonly share?: string;
}

/** A part of what is kept with a run: its request, some events of its trace, or an evaluation; packed by `lib/packed.ts`. */
export interface RunPart {
  /** Place of the first item: the `seq` of an event, or the number of an evaluation, from 0. */
  readonly from: number;
  /** Place behind the last item. */
  readonly to: number;
  readonly bytes: Uint8Array;
}
export type PartKind = 'request' | 'events' | 'evaluation';

/** Outcome of a write. */
export type WriteOutcome = 'ok' | 'stop requested' | 'deleted';

/** Bounds on what is kept of one user: beyond either of the first two the oldest runs are deleted, but none under way. */
export interface KeptMax {
  readonly runs: number;
  /** Packed, of all parts. */
  readonly bytes: number;
  /** Evaluations of one run. */
  readonly evaluations: number;
  /** Running runs whose lease ends later are under way. */
  readonly nowMs: number;
}

/** A place in a list that is sorted by the start of runs, newest first, and by their ids, highest first. */
export type RunPlace = Pick<KeptRun, 'startedAtMs' | 'runId'>;

/**
 * The runs that users may come back to. Each is written by the process that plays it, and read and deleted by any. What
 * failed may be tried again: runs and parts are stored under their names.
 */
export interface RunStore {
  /** Keeps a run that begins, with its request, packed. */
  createRun(run: KeptRun, request: Uint8Array, max: KeptMax): Promise<void>;
  /** Adds events, if there are any, and replaces what changes of a run. Writes nothing once the run was deleted. */
  writeRun(run: KeptRun, events?: RunPart): Promise<WriteOutcome>;
  /** Asks the process that plays a run to stop it. */
  requestStop(ref: RunRef): Promise<void>;
  findRun(ref: RunRef): Promise<KeptRun | undefined>;
  /** Shares a run under a hash, or under none any more; resolves false where there is no such run. */
  shareRun(ref: RunRef, hash?: string): Promise<boolean>;
  findShared(hash: string): Promise<KeptRun | undefined>;
  /** The part that holds a place; undefined when it is not written, or its run was deleted. */
  readPart(ref: RunRef, kind: PartKind, place: number): Promise<RunPart | undefined>;
  /** A user's runs, newest first: `max` at most, those behind a place where one is given. */
  listRuns(userId: string, page: { readonly before?: RunPlace | undefined; readonly max: number }): Promise<KeptRun[]>;
  /** The runs of a conversation of a user, `max` at most, in no order. */
  listThread(userId: string, thread: string, max: number): Promise<KeptRun[]>;
  /** Puts a rating in the place of the one before, or removes it; resolves false when there is no such run. */
  rateRun(ref: RunRef, rating: RunRating | undefined): Promise<boolean>;
  /**
   * Deletes one run of a user, or some of all, with their parts; resolves the number of runs: none are left once that
   * is 0.
   */
  deleteRuns(userId: string, runId?: string): Promise<number>;
  /** Keeps a packed evaluation with a run; resolves false when there is no such run, or it has all it may have. */
  addEvaluation(ref: RunRef, evaluation: Uint8Array, max: KeptMax): Promise<boolean>;
}
