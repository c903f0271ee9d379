import { anySignal } from '../../lib/any-signal';
import { FairSlots, type Release } from '../../lib/fair-slots';
import type { ModelRow, ProviderId } from '../catalog';
import type { ModelFaultKind } from '../model-fault';
import { type AttemptOptions, askProvider } from './attempt';
import { Breaker } from './breaker';
import { type CallResult, failedCall, type GatewayCall, type ModelGateway } from './gateway-call';
import { RefusedParts, refusedPart } from './refused-parts';
import { waitToRepeat } from './retries';

/** Settings of a gateway. */
export interface GatewayOptions extends AttemptOptions {
  /** Calls that may run at once at a provider that has a number of its own: shared out by user, all of them. */
  readonly callsAt?: (provider: ProviderId) => number | undefined;
  /** Models that the breaker never forgets for ids that callers name. */
  readonly knownModels?: readonly ModelRow[];
  /** Receives a model whose breaker opens. */
  readonly onUnavailable?: (model: ModelRow) => void;
}

/** Enough for a process of one's own with 500 streams, and for a full instance (80 requests); one user has half at most. */
const CALLS_PER_PROVIDER = 1_024;

/** Creates the gateway. A model's failure is a value; a call rejects only when the store cannot list an attempt. */
export function createGateway(options: GatewayOptions): ModelGateway {
  return new Gateway(options);
}

/** Attempts by the table of remedies (`call`), as the breaker and a slot at the provider allow (`#attempt`). */
class Gateway implements ModelGateway {
  readonly #options: GatewayOptions;
  readonly #breaker: Breaker;
  readonly #slots = new Map<ProviderId, FairSlots>();
  readonly #refused = new RefusedParts();

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#breaker = new Breaker(options.clock, (options.knownModels ?? []).map(circuitName));
  }

  async call(call: GatewayCall): Promise<CallResult> {
    const { scope, signal, model, budgetMs } = call;
    const { clock } = this.#options;
    const endsAtMs = clock.monotonicMs() + budgetMs;
    const service = scope.retries.serviceAt(model.provider);
    const leftOut = [...this.#refused.of(call)];
    let asked = leftOut.reduce((rest, part) => part.without(rest), call);
    let retries = 0;
    scope.retries.called();
    for (let number = 1; ; number += 1) {
      const answeredBefore = service.answered;
      const result = await this.#attempt(asked, number, endsAtMs);
      if (result.ok) {
        this.#refused.add(call, leftOut);
        return leftOut.length > 0 ? { ...result, refused: leftOut.map(({ part }) => part) } : result;
      }
      if (signal.aborted) return result;
      const part = refusedPart(result, asked);
      if (part) {
        leftOut.push(part);
        asked = part.without(asked);
        retries = 0;
      } else if (await waitToRepeat(clock, asked, { result, retries, answeredBefore, endsAtMs })) retries += 1;
      else return result;
      asked.heard?.again();
    }
  }

  async #attempt(call: GatewayCall, number: number, endsAtMs: number): Promise<CallResult> {
    const { model, scope, signal } = call;
    const { clock, onUnavailable } = this.#options;
    if (signal.aborted) return failedCall('aborted');
    const pass = this.#breaker.admit({ model: circuitName(model), userId: scope.userId, requestId: scope.id });
    if (!pass) return failedCall('unavailable');
    let fault: ModelFaultKind | undefined = 'aborted';
    try {
      const slots = this.#slotsOf(model.provider);
      const release = slots.tryTake(scope.userId) ?? (await this.#waitFor(slots, call, endsAtMs));
      if (!release) return failedCall(signal.aborted ? 'aborted' : 'overloaded');
      const result = await askProvider(this.#options, call, { number, endsAtMs }).finally(release);
      if (result.ok) fault = undefined;
      // A caller's time that ran out tells nothing of the model: some wait ten seconds only.
      else if (clock.monotonicMs() < endsAtMs) fault = result.fault;
      // Its model was known to be down, and is: a second try would only be paid for.
      return pass.isProbe && !result.ok ? { ...result, final: true } : result;
    } finally {
      if (pass.ended(fault)) onUnavailable?.(model);
    }
  }

  /** Undefined when the call's time is up before its turn comes. */
  async #waitFor(slots: FairSlots, call: GatewayCall, endsAtMs: number): Promise<Release | undefined> {
    const { clock } = this.#options;
    const { scope, signal, onWait } = call;
    const late = new AbortController();
    const cancel = clock.after(endsAtMs - clock.monotonicMs(), () => late.abort());
    onWait?.(true);
    const release = await slots.wait(scope.userId, anySignal(signal, late.signal));
    cancel();
    onWait?.(false);
    return release;
  }

  #slotsOf(provider: ProviderId): FairSlots {
    const known = this.#slots.get(provider);
    if (known) return known;
    const ownMax = this.#options.callsAt?.(provider);
    const slots = new FairSlots(ownMax ?? CALLS_PER_PROVIDER, { leavesFree: ownMax === undefined });
    this.#slots.set(provider, slots);
    return slots;
  }
}

function circuitName({ provider, providerModel }: ModelRow): string {
  return `${provider} ${providerModel}`;
}
