import type { Clock } from '../../lib/clock';
import { Lru } from '../../lib/lru';
import type { ModelFaultKind } from '../model-fault';

/** Model ids are free text: the memory of those that only callers have named is bounded. */
const OTHER_MODELS_MAX = 500;
/** Faults of a model that is down. Refusals of one request (a wrong key, a bad prompt, a limit) are none. */
const DOWN: ReadonlySet<ModelFaultKind> = new Set(['overloaded', 'server', 'network', 'timeout', 'protocol']);

/** Opens for everybody after so many requests within this time, … */
const REQUESTS_MIN = 10;
const WINDOW_MS = 30_000;
/** … of at least so many users whose requests failed, … */
const USERS_MIN = 3;
/** … when this share of them did. Each user's requests weigh as much as any other's, however many there are. */
const FAILED_SHARE = 0.5;
/** Opens for the users of so many failed requests in a row. */
const FAILED_IN_A_ROW = 20;
/** First pause without any call; then one call at a time is let through, of a user whose own calls have failed. */
const OPEN_MS = 15_000;
/** Closes after this time without another failure. */
const FORGOTTEN_AFTER_MS = 60_000;
/** Latest requests that are looked at. */
const REQUESTS_KEPT = 100;

/** A call: its model (provider and name as one text), user and request. */
export interface BreakerCall {
  readonly model: string;
  readonly userId: string;
  readonly requestId: string;
}

/** Pass of a call that may be made. */
export interface BreakerPass {
  /** True where it finds out whether a model that was down is back. */
  readonly isProbe: boolean;
  /** Reports how the call ended; true when that opens the breaker. */
  ended(fault: ModelFaultKind | undefined): boolean;
}

/** Ending of a request's latest call of the model. */
interface Outcome {
  readonly userId: string;
  readonly atMs: number;
  readonly failed: boolean;
}

/** Users to whom a model is closed: those whose requests have failed, and perhaps everybody. */
interface Closed {
  readonly sinceMs: number;
  readonly users: ReadonlySet<string>;
  readonly forAll: boolean;
}

/** Requests to one model: by id, the latest last; each counts once, as the latest of its calls ended. */
interface Circuit {
  readonly outcomes: Map<string, Outcome>;
  closed: Closed | undefined;
  isProbing: boolean;
}

/** Circuit breaker by provider and model: it takes failed requests of three users to close a model to another. */
export class Breaker {
  readonly #known: ReadonlyMap<string, Circuit>;
  readonly #others = new Lru<string, Circuit>(OTHER_MODELS_MAX);
  readonly #clock: Clock;

  constructor(clock: Clock, knownModels: readonly string[] = []) {
    this.#clock = clock;
    this.#known = new Map(knownModels.map((model) => [model, newCircuit()]));
  }

  /** A pass for a call that may be made now, undefined for one whose model is spared. */
  admit(call: BreakerCall): BreakerPass | undefined {
    const circuit = this.#circuitOf(call.model);
    const admitted = circuit ? admittedBy(circuit, call.userId, this.#clock.monotonicMs()) : 'call';
    if (admitted === 'spared') return undefined;
    const isProbe = admitted === 'probe';
    return { isProbe, ended: (fault) => this.#ended(call, fault, isProbe) };
  }

  #ended(call: BreakerCall, fault: ModelFaultKind | undefined, isProbe: boolean): boolean {
    const known = this.#circuitOf(call.model);
    if (known && isProbe) known.isProbing = false;
    const failed = fault !== undefined && DOWN.has(fault);
    // A call that was refused for what it asked tells only that the model answers; one that was given up, nothing.
    if (fault === undefined ? known?.closed : !failed) {
      if (known && fault !== 'aborted') reset(known);
      return false;
    }
    const circuit = known ?? newCircuit();
    if (!known) this.#others.set(call.model, circuit);
    const atMs = this.#clock.monotonicMs();
    note(circuit, call.requestId, { userId: call.userId, atMs, failed });
    return failed && hasOpened(circuit, call.userId, atMs);
  }

  #circuitOf(model: string): Circuit | undefined {
    return this.#known.get(model) ?? this.#others.get(model);
  }
}

function newCircuit(): Circuit {
  return { outcomes: new Map(), closed: undefined, isProbing: false };
}

function admittedBy(circuit: Circuit, userId: string, nowMs: number): 'call' | 'probe' | 'spared' {
  const { closed } = circuit;
  if (!closed || !(closed.forAll || closed.users.has(userId))) return 'call';
  if (nowMs >= closed.sinceMs + FORGOTTEN_AFTER_MS) {
    reset(circuit);
    return 'call';
  }
  if (circuit.isProbing || nowMs < closed.sinceMs + OPEN_MS || !closed.users.has(userId)) return 'spared';
  circuit.isProbing = true;
  return 'probe';
}

/** The model answers, be it by a refusal: it is open to everybody, and counting begins anew. */
function reset(circuit: Circuit): void {
  if (!circuit.closed) return;
  circuit.closed = undefined;
  circuit.isProbing = false;
  circuit.outcomes.clear();
}

function note({ outcomes }: Circuit, requestId: string, outcome: Outcome): void {
  outcomes.delete(requestId);
  outcomes.set(requestId, outcome);
  const [oldest] = outcomes.keys();
  if (outcomes.size > REQUESTS_KEPT && oldest !== undefined) outcomes.delete(oldest);
}

/** Closes the model where that is due; true where it was open before. A call begun before also tells that it is still down. */
function hasOpened(circuit: Circuit, userId: string, sinceMs: number): boolean {
  const before = circuit.closed;
  const outcomes = [...circuit.outcomes.values()];
  const found = failingNow(outcomes, sinceMs) ?? failingInARow(outcomes);
  if (found) {
    const users = new Set([...(before?.users ?? []), ...found.users, userId]);
    circuit.closed = { users, sinceMs, forAll: found.forAll || before?.forAll === true };
  } else if (before?.users.has(userId)) circuit.closed = { ...before, sinceMs };
  return found !== undefined && before === undefined;
}

/** Many users' requests of the last half minute failed. */
function failingNow(outcomes: readonly Outcome[], nowMs: number): Omit<Closed, 'sinceMs'> | undefined {
  const recent = outcomes.filter(({ atMs }) => atMs > nowMs - WINDOW_MS);
  if (recent.length < REQUESTS_MIN) return undefined;
  const shares = [...Map.groupBy(recent, ({ userId }) => userId)].map(([userId, own]) => {
    return { userId, share: own.filter(({ failed }) => failed).length / own.length };
  });
  const failing = shares.filter(({ share }) => share > 0);
  const share = failing.reduce((sum, user) => sum + user.share, 0) / shares.length;
  if (failing.length < USERS_MIN || share < FAILED_SHARE) return undefined;
  return { users: new Set(failing.map(({ userId }) => userId)), forAll: true };
}

/** However few ask, and however seldom: none of the latest requests was answered. */
function failingInARow(outcomes: readonly Outcome[]): Omit<Closed, 'sinceMs'> | undefined {
  const latest = outcomes.slice(-FAILED_IN_A_ROW);
  if (latest.length < FAILED_IN_A_ROW || latest.some(({ failed }) => !failed)) return undefined;
  const users = new Set(latest.map(({ userId }) => userId));
  return { users, forAll: users.size >= USERS_MIN };
}
