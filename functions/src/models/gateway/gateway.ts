import { anySignal } from '../../lib/any-signal';
/*
 * The gateway: how models are called. One attempt with its timers (`attempt`, `watchdog`), what helps after a fault
 * (`ask-again`, `retry-budget`), models that are spared (`breaker`), and slots at each provider. `gateway-call` is what
 * callers see of it. Imports the model port and `lib/`; must not know who calls, or a provider's protocol.
 */
import { FairSlots, type Release } from '../../lib/fair-slots';
import type { ModelRow, ProviderId } from '../catalog';
import type { ModelFaultKind } from '../model';
import { type Attempt, createAskAgain } from './ask-again';
import { type AttemptOptions, attemptOnce } from './attempt';
import { Breaker } from './breaker';
import { type CallResult, failedCall, type GatewayCall, type ModelGateway } from './gateway-call';

/** What a gateway is made from. */
export interface GatewayOptions extends AttemptOptions {
  /** Calls that may run at one provider at once, in this process: shared out by user, some always free for the next. */
  readonly callsPerProvider?: number;
  /** The same at a provider that has a number of its own: shared out by user, all of them. */
  readonly callsAt?: (provider: ProviderId) => number | undefined;
  /** What the breaker never forgets for ids that callers name. */
  readonly knownModels?: readonly ModelRow[];
  /** Told when a model's breaker opens. */
  readonly onUnavailable?: (model: ModelRow) => void;
}

/** Enough for a process of one's own with 500 streams, and for a full instance (80 requests); one user has half at most. */
const CALLS_PER_PROVIDER = 1_024;

/**
 * Builds the gateway: it picks the provider, takes turns at a busy one, spares a model that is down, keeps the timers
 * and asks again. A model's failure is a value; it throws only when the store cannot list an attempt.
 */
export function createGateway(options: GatewayOptions): ModelGateway {
  const { clock, onUnavailable, knownModels = [], callsPerProvider = CALLS_PER_PROVIDER } = options;
  const breaker = new Breaker(clock, knownModels.map(circuitName));
  const slots = new Map<ProviderId, FairSlots>();
  return { call: createAskAgain(clock, attemptUnlessDown) };

  async function attemptUnlessDown(call: GatewayCall, attempt: Attempt): Promise<CallResult> {
    const { model, scope, signal } = call;
    if (signal.aborted) return failedCall('aborted');
    const pass = breaker.admit({ model: circuitName(model), userId: scope.userId, requestId: scope.id });
    if (!pass) return failedCall('unavailable');
    const endsAtMs = clock.nowMs() + attempt.budgetMs;
    let fault: ModelFaultKind | undefined = 'aborted';
    try {
      const result = await attemptInTurn(call, attempt.attempt, endsAtMs);
      // A caller's time that ran out tells nothing of the model: some wait ten seconds only.
      if (result.ok) fault = undefined;
      else if (clock.nowMs() < endsAtMs) fault = result.fault;
      // Its model was known to be down, and is: a second try would only be paid for.
      return pass.isProbe && !result.ok ? { ...result, final: true } : result;
    } finally {
      if (pass.ended(fault)) onUnavailable?.(model);
    }
  }

  async function attemptInTurn(call: GatewayCall, attempt: number, endsAtMs: number): Promise<CallResult> {
    const { model, scope, signal } = call;
    const release = slotsOf(model.provider).tryTake(scope.userId) ?? (await waitForSlot(call, endsAtMs));
    if (!release) return failedCall(signal.aborted ? 'aborted' : 'overloaded');
    const service = scope.retries.serviceAt(model.provider);
    service.underWay += 1;
    try {
      const result = await attemptOnce(options, call, { attempt, budgetMs: endsAtMs - clock.nowMs() });
      if (result.ok) service.answered += 1;
      return result;
    } finally {
      service.underWay -= 1;
      release();
    }
  }

  /** Undefined when the call's time is up before its turn comes. */
  async function waitForSlot(call: GatewayCall, endsAtMs: number): Promise<Release | undefined> {
    const { model, scope, signal } = call;
    const late = new AbortController();
    const cancel = clock.after(endsAtMs - clock.nowMs(), () => late.abort());
    call.onWait?.(true);
    try {
      return await slotsOf(model.provider).wait(scope.userId, anySignal(signal, late.signal));
    } finally {
      cancel();
      call.onWait?.(false);
    }
  }

  function slotsOf(provider: ProviderId): FairSlots {
    const ownMax = options.callsAt?.(provider);
    const known =
      slots.get(provider) ?? new FairSlots(ownMax ?? callsPerProvider, { leavesFree: ownMax === undefined });
    slots.set(provider, known);
    return known;
  }
}

function circuitName({ provider, providerModel }: ModelRow): string {
  return `${provider} ${providerModel}`;
}
