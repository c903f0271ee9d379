import type { Caller, Guard } from '../access/guard';
import { refuseModels } from '../access/guard';
import { isRefusal, type Refusal, refuse, refuseBusy, refuseRestarting } from '../errors';
import type { LedgerStore, Reservation } from '../ledger/ledger-store';
import { monthOf } from '../ledger/month';
import { RequestLedger } from '../ledger/request-ledger';
import type { ByteBudget } from '../lib/byte-budget';
import type { Clock } from '../lib/clock';
import type { FairSlots } from '../lib/fair-slots';
import type { Log } from '../lib/log';
import { Lru } from '../lib/lru';
import type { Turns } from '../lib/turns';
import type { ModelGateway } from '../models/gateway/gateway-call';
import type { OutputBounds } from '../models/gateway/run-output';
import { estimateCost } from '../models/prices';
import type { RequestTrace } from '../telemetry/request-trace';
import type { Opened } from './run-context';

/** Runs of one user under way at a time in one process; their memory is bounded by user (`ByteBudget`, `FairSlots`). */
export const OPEN_RUNS_MAX = 30;
const TOO_MANY_RUNS = `Too many runs under way: at most ${OPEN_RUNS_MAX} at a time`;

/** Dependencies of every run. */
export interface RunDeps {
  readonly guard: Pick<Guard, 'admit'>;
  /** Runs under way in the process, by user. */
  readonly openRuns: FairSlots;
  readonly store: LedgerStore;
  readonly gateway: ModelGateway;
  /** The memory of the process. */
  readonly memory: ByteBudget;
  /** Heavy work of the process. */
  readonly heavyWork: Turns;
  /** Bounds on the output of all models of the process. */
  readonly modelOutput: OutputBounds;
  readonly clock: Clock;
  readonly log: Log;
  readonly tellUnpriced: TellUnpriced;
  /** Aborted once the process is to end. */
  readonly stopping: AbortSignal;
}

/** A request for a run, as the ledger will know it. */
export interface RunRequest {
  /** 128-bit random: the ledger id. */
  readonly id: string;
  readonly startedAtMs: number;
  readonly caller: Caller;
  /** The endpoint's name in the ledger, e.g. `chat.completions`. */
  readonly endpoint: string;
  /** Its platform calls count against its user's monthly grant, of which it has a lease. */
  readonly onGrant?: boolean;
  /** Aborted when the client has left. */
  readonly clientGone: AbortSignal;
  /** Trace of its model calls. */
  readonly trace: Omit<RequestTrace, 'requestEnded'>;
}

/** A run that was let in and is yet to be played, once, by `run`. */
export interface Admitted<Result> {
  readonly deps: RunDeps;
  readonly request: RunRequest;
  readonly opened: Opened<Result>;
  readonly ledger: RequestLedger;
  /** Gives back its memory and its place among the open runs of its user: it is over. */
  release(): void;
  /** Headers of the reply that tell the rate limit. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Time after which the sweep settles an open record: the longest run (525 s) and its own settling. */
export const LEASE_MS = 660_000;

/** Lets a run in: rate slot, open record and first wave are one commit. Refuses first what needs no slot to be refused. */
export async function admit<Result>(
  deps: RunDeps,
  request: RunRequest,
  opened: Opened<Result>,
): Promise<Admitted<Result> | Refusal> {
  const { guard, openRuns, store, clock, log, stopping } = deps;
  if (stopping.aborted) return refuseRestarting();
  const { startedAtMs, caller, trace } = request;
  trace.note(opened.about);
  const barred = refuseModels(caller.limits, opened.modelIds);
  if (barred) return barred;
  const leave = openRuns.tryTake(caller.userId);
  if (!leave) return refuse('rate_limited', TOO_MANY_RUNS, { 'retry-after': '60' });
  const memory = deps.memory.shareOf(caller.userId);
  const release = (): void => {
    leave();
    memory.release();
  };
  if (!memory.hold(opened.heldBytes)) {
    release();
    return refuseBusy();
  }
  const { strategy } = opened.about;
  const reserved = { ...reservationOf(request, null), ...(strategy !== undefined && { strategy }) };
  const ledger = new RequestLedger(store, reserved);
  const calls = ledger.reserve(opened.firstWave);
  const estimateNanoUsd = estimateCost(opened.likelyCalls?.(startedAtMs) ?? opened.firstWave, startedAtMs);
  const reservation = { ...reserved, calls, estimateNanoUsd };
  try {
    const admission = await guard.admit(caller, reservation);
    if (!isRefusal(admission)) return { deps, request, opened, ledger, release, headers: admission.headers };
    release();
    return admission;
  } catch (error) {
    release();
    // The record may be open all the same, or be opened yet. Nothing was called, so it ends at nothing; should that fail
    // too, the sweep would bill its announced prompts.
    store
      .abandon(reservation, clock.nowMs())
      .catch((reason: unknown) => log.error('settle failed', trace.where, reason));
    throw error;
  }
}

/** Reservation of a request: a rate slot, and a ledger record with its calls unless they are null. */
export function reservationOf(
  { id: requestId, startedAtMs, caller, endpoint, onGrant }: Omit<RunRequest, 'clientGone' | 'trace'>,
  calls: Reservation['calls'],
): Reservation {
  const { userId, keyId, originId, keyName } = caller;
  return {
    requestId,
    userId,
    keyId,
    ...(originId !== undefined && { originId }),
    keyName,
    endpoint,
    month: monthOf(startedAtMs),
    startedAtMs,
    leaseUntilMs: startedAtMs + LEASE_MS,
    calls,
    ...(onGrant === true && { onGrant }),
  };
}

/** Ids are free text of callers: so many are remembered. */
const REMEMBERED_MAX = 1_000;

/** Says that a model's price is not known; `where` joins the line to the request that called it first. */
export type TellUnpriced = (modelId: string, where: object) => void;

/** Says it once for each model in the life of a process: a server without prices would say nothing else. */
export function createTellUnpriced(log: Log): TellUnpriced {
  const told = new Lru<string, true>(REMEMBERED_MAX);
  return (modelId, where) => {
    if (told.get(modelId)) return;
    told.set(modelId, true);
    log.warn('no price known', { ...where, modelId });
  };
}
