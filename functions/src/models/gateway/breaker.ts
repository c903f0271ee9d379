import type { Clock } from '../../lib/clock';
import { Lru } from '../../lib/lru';
import type { ModelFaultKind } from '../model';

/** A breaker looks at the calls of this long, once there were so many of them. */
const WINDOW_MS = 30_000;
const CALLS_MIN = 10;
/** It opens when at least this share of them failed, and lets one call through again after this long. */
const FAILED_SHARE = 0.5;
const OPEN_MS = 15_000;
/** Model ids are free text: the memory of them is bounded. */
const MODELS_MAX = 500;

/** What tells of a model that is down. Refusals of one request (a wrong key, a bad prompt, a limit) do not. */
const DOWN: ReadonlySet<ModelFaultKind> = new Set(['overloaded', 'server', 'network', 'timeout', 'protocol']);

interface Circuit {
  readonly calls: { readonly atMs: number; readonly failed: boolean }[];
  openUntilMs: number;
  /** The one call that is let through to see whether the model is back. */
  probing: boolean;
}

/**
 * Keeps requests from waiting for a model that is down: per provider and model, in this process. It opens after half of
 * at least ten calls in 30 s failed; from then on one call in 15 s finds out whether the model is back.
 */
export class Breaker {
  readonly #circuits = new Lru<string, Circuit>(MODELS_MAX);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a call may be made now. One that may must be reported to `ended`. */
  admits(model: string): boolean {
    const circuit = this.#circuits.get(model);
    if (!circuit || circuit.openUntilMs === 0) return true;
    if (circuit.probing || this.#clock.nowMs() < circuit.openUntilMs) return false;
    circuit.probing = true;
    return true;
  }

  /** How an admitted call ended; true when the circuit opens with it. */
  ended(model: string, fault: ModelFaultKind | undefined): boolean {
    const failed = fault !== undefined && DOWN.has(fault);
    const circuit = this.#circuits.get(model) ?? { calls: [], openUntilMs: 0, probing: false };
    this.#circuits.set(model, circuit);
    if (circuit.openUntilMs !== 0) return this.#probed(circuit, { failed, back: !failed && fault !== 'aborted' });
    if (fault !== undefined && !failed) return false;
    const nowMs = this.#clock.nowMs();
    circuit.calls.push({ atMs: nowMs, failed });
    while (circuit.calls[0] && circuit.calls[0].atMs <= nowMs - WINDOW_MS) circuit.calls.shift();
    const failures = circuit.calls.filter((call) => call.failed).length;
    if (circuit.calls.length < CALLS_MIN || failures < circuit.calls.length * FAILED_SHARE) return false;
    circuit.openUntilMs = nowMs + OPEN_MS;
    return true;
  }

  /** Calls begun before it opened end here too: one that was answered, be it by a refusal, closes it just the same. */
  #probed(circuit: Circuit, { failed, back }: { failed: boolean; back: boolean }): boolean {
    circuit.probing = false;
    if (failed) circuit.openUntilMs = this.#clock.nowMs() + OPEN_MS;
    if (back) {
      circuit.openUntilMs = 0;
      circuit.calls.length = 0;
    }
    return false;
  }
}
