import type { Clock } from '../../lib/clock';
import { Lru } from '../../lib/lru';
import type { ModelFaultKind } from '../model';
import { Circuit } from './circuit';

/** Model ids are free text: the memory of those that nobody has named but callers is bounded. */
const OTHER_MODELS_MAX = 500;

/** What tells of a model that is down. Refusals of one request (a wrong key, a bad prompt, a limit) do not. */
const DOWN: ReadonlySet<ModelFaultKind> = new Set(['overloaded', 'server', 'network', 'timeout', 'protocol']);

/** Who asks which model. */
export interface BreakerCall {
  /** Provider and model as one text. */
  readonly model: string;
  readonly userId: string;
  readonly requestId: string;
}

/** A call that may be made. */
export interface BreakerPass {
  /** It finds out whether a model that was down is back. */
  readonly isProbe: boolean;
  /** To be told how the call ended; true when the model is spared from now on. */
  ended(fault: ModelFaultKind | undefined): boolean;
}

/**
 * Keeps requests from waiting for a model that is down: per provider and model, in this process. When it opens, and to
 * whom, is decided by `Circuit`. Known models and ids that only callers have named are kept apart, so that invented ids
 * make nobody forget a model that is down.
 */
export class Breaker {
  readonly #known: ReadonlyMap<string, Circuit>;
  readonly #others = new Lru<string, Circuit>(OTHER_MODELS_MAX);
  readonly #clock: Clock;

  constructor(clock: Clock, knownModels: readonly string[] = []) {
    this.#clock = clock;
    this.#known = new Map(knownModels.map((model) => [model, new Circuit()]));
  }

  /** A pass for a call that may be made now, undefined for one whose model is spared. */
  admit(call: BreakerCall): BreakerPass | undefined {
    const circuit = this.#circuitOf(call.model);
    const admitted = circuit?.admit(call, this.#clock.monotonicMs()) ?? 'call';
    if (admitted === 'spared') return undefined;
    return { isProbe: admitted === 'probe', ended: (fault) => this.#ended(call, fault, admitted === 'probe') };
  }

  #ended(call: BreakerCall, fault: ModelFaultKind | undefined, isProbe: boolean): boolean {
    const circuit = this.#circuitOf(call.model);
    const isDown = fault !== undefined && DOWN.has(fault);
    if (isProbe) circuit?.probeEnded();
    // A call that was refused for what it asked tells only that the model answers; one that was given up, nothing.
    if (fault !== undefined && !isDown) {
      if (fault !== 'aborted') circuit?.answers();
      return false;
    }
    const counted = circuit ?? new Circuit();
    if (!circuit) this.#others.set(call.model, counted);
    if (isDown) return counted.failed(call, this.#clock.monotonicMs());
    counted.answered(call, this.#clock.monotonicMs());
    return false;
  }

  #circuitOf(model: string): Circuit | undefined {
    return this.#known.get(model) ?? this.#others.get(model);
  }
}
