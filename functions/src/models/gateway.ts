import { sleep } from '../lib/clock';
import { FairSlots, type Release } from '../lib/fair-slots';
import type { CallMeter } from '../usage/books';
import { type Attempt, type AttemptOptions, attemptOnce, notCalled } from './attempt';
import { Breaker } from './breaker';
import type { ModelRow, ProviderId } from './catalog';
import {
  type CallPurpose,
  type FinishReason,
  ModelFault,
  type ModelFaultKind,
  type ModelPrompt,
  type OutputSchema,
  type Sampling,
} from './model';
import type { RequestScope } from './request-scope';
import { withSchemaDowngrade } from './schema-downgrade';

/** One attempt's ledger entry, as the gateway drives it. */
export interface AttemptBook {
  /** Filled in while the call runs. */
  readonly meter: CallMeter;
  /** The attempt is over. */
  close(fault: ModelFaultKind | undefined, durationMs: number): void;
  /** The attempt is not made after all. */
  cancel(): void;
}

/** What the engine asks the gateway: one answer from one model. */
export interface GatewayCall {
  readonly scope: RequestScope;
  readonly model: ModelRow;
  readonly prompt: ModelPrompt;
  readonly purpose: CallPurpose;
  readonly sampling?: Sampling;
  /** The reply is to be this JSON. Not every model can be held to it: the prompt must say it too. */
  readonly outputSchema?: OutputSchema;
  readonly signal: AbortSignal;
  /** For all attempts together. */
  readonly budgetMs: number;
  /** Opens the ledger entry of attempt 1, 2, …; the model is called only once it has resolved. */
  openAttempt(attempt: number): AttemptBook | Promise<AttemptBook>;
  /** Set for a streamed call: pieces of text as they come. Once one was passed on, the call is not retried. */
  onText?(delta: string): Promise<void> | undefined;
}

/** How a call ended. Failures are values: one model failing is an expected event. */
export type CallResult =
  | { readonly ok: true; readonly text: string; readonly finishReason: FinishReason }
  | { readonly ok: false; readonly fault: ModelFaultKind; readonly cause: unknown; readonly streamed: boolean };

/** The one door to every model. */
export interface ModelGateway {
  call(call: GatewayCall): Promise<CallResult>;
}

/** What the gateway needs; `providers` are made on first use, so that an SDK is loaded only when it is called. */
export interface GatewayOptions extends AttemptOptions {
  /** Calls that may run at one provider at once, in this process. */
  readonly callsPerProvider?: number;
  /** Told when a model's breaker opens. */
  readonly onUnavailable?: (modelId: string) => void;
}

/** Faults worth one more try within the budget. A 429 is one of them only when it says how long to wait. */
const RETRYABLE: ReadonlySet<ModelFaultKind> = new Set([
  'rate_limited',
  'overloaded',
  'timeout',
  'network',
  'server',
  'protocol',
  'empty',
]);
const ATTEMPTS_MAX = 2;
const BACKOFF_MS = 250;
/** A retry with less time than this left is not worth its tokens. */
const RETRY_BUDGET_MIN_MS = 2_000;

/** Enough for a full instance (80 requests) of small panels; more would only wait at the provider. */
const CALLS_PER_PROVIDER = 256;

/** A gateway's parts, shared by all its calls. */
interface Gateway extends GatewayOptions {
  readonly breaker: Breaker;
  slotsOf(provider: ProviderId): FairSlots;
}

/**
 * Builds the gateway: picks the provider, waits in turn for a busy one, spares one that is down, keeps the timers,
 * retries once, and never throws.
 */
export function createGateway(options: GatewayOptions): ModelGateway {
  const slots = new Map<ProviderId, FairSlots>();
  const slotsOf = (provider: ProviderId): FairSlots => {
    const known = slots.get(provider) ?? new FairSlots(options.callsPerProvider ?? CALLS_PER_PROVIDER);
    slots.set(provider, known);
    return known;
  };
  const gateway: Gateway = { ...options, breaker: new Breaker(options.clock), slotsOf };
  return { call: withSchemaDowngrade(options.clock, (call) => callWithRetry(gateway, call)) };
}

async function callWithRetry(gateway: Gateway, call: GatewayCall): Promise<CallResult> {
  const { clock } = gateway;
  call.scope.retries.called();
  const endsAtMs = clock.nowMs() + call.budgetMs;
  for (let attempt = 1; ; attempt += 1) {
    const result = await attemptInTurn(gateway, call, { attempt, budgetMs: endsAtMs - clock.nowMs() });
    if (result.ok || attempt === ATTEMPTS_MAX || call.signal.aborted) return result;
    const waitMs = retryWaitMs(result, attempt);
    if (waitMs === undefined || endsAtMs - clock.nowMs() - waitMs < RETRY_BUDGET_MIN_MS) return result;
    if (call.purpose !== 'answer' && !call.scope.retries.take()) return result;
    await sleep(clock, waitMs, call.signal);
    if (call.signal.aborted) return result;
  }
}

function retryWaitMs(result: Extract<CallResult, { ok: false }>, attempt: number): number | undefined {
  if (result.streamed || !RETRYABLE.has(result.fault)) return undefined;
  const asked = result.cause instanceof ModelFault ? result.cause.retryAfterSeconds : undefined;
  if (result.fault === 'rate_limited' && asked === undefined) return undefined;
  return asked === undefined ? BACKOFF_MS * attempt : asked * 1_000;
}

/** One attempt, once the provider has room for it and unless the model is known to be down. */
async function attemptInTurn(gateway: Gateway, call: GatewayCall, run: Attempt): Promise<CallResult> {
  const { clock, breaker, onUnavailable } = gateway;
  if (call.signal.aborted) return notCalled('aborted');
  const key = `${call.model.provider} ${call.model.providerModel}`;
  if (!breaker.admits(key)) return notCalled('unavailable');
  const startedMs = clock.nowMs();
  const release = gateway.slotsOf(call.model.provider).tryTake() ?? (await waitForSlot(gateway, call, run.budgetMs));
  let fault: ModelFaultKind | undefined = 'aborted';
  try {
    if (!release) return notCalled(call.signal.aborted ? 'aborted' : 'overloaded');
    const result = await attemptOnce(gateway, call, { ...run, budgetMs: run.budgetMs - (clock.nowMs() - startedMs) });
    fault = result.ok ? undefined : result.fault;
    // A caller's time that ran out tells nothing of the model: some wait ten seconds only.
    if (fault === 'timeout' && clock.nowMs() - startedMs >= run.budgetMs) fault = 'aborted';
    return result;
  } finally {
    release?.();
    if (breaker.ended(key, fault)) onUnavailable?.(call.model.id);
  }
}

/** Waits for a turn, at most as long as the call has time; undefined when it did not come. */
async function waitForSlot(
  { clock, slotsOf }: Gateway,
  call: GatewayCall,
  budgetMs: number,
): Promise<Release | undefined> {
  const late = new AbortController();
  const cancel = clock.after(budgetMs, () => late.abort());
  try {
    return await slotsOf(call.model.provider).wait(call.scope.id, AbortSignal.any([call.signal, late.signal]));
  } finally {
    cancel();
  }
}
