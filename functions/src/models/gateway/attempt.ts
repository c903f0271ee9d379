import type { Clock } from '../../lib/clock';
import { firstEventMs, type ModelRow, type ProviderId } from '../catalog';
import type { FinishReason, ModelProvider, ProviderCall, RequestPart } from '../model';
import { ModelFault } from '../model-fault';
import { unmarked, withFewMarks } from '../prompt-caches';
import { type CallResult, type FailedCall, failedCall, type GatewayCall } from './gateway-call';
import { Reply } from './reply';
import { watch } from './watchdog';

/** Parts that an attempt is made with. */
export interface AttemptOptions {
  readonly clock: Clock;
  /** Made on first use: an SDK is loaded only when it is called. */
  readonly provider: (id: ProviderId) => ModelProvider;
}

/** One attempt at one model: listed in the ledger, watched, traced. Throws only when the store cannot list it. */
export async function askProvider(
  { clock, provider }: AttemptOptions,
  call: GatewayCall,
  { number, endsAtMs }: { readonly number: number; readonly endsAtMs: number },
): Promise<CallResult> {
  const entry = await call.openAttempt(number, call.outputSchema);
  if (call.signal.aborted) {
    entry.cancel();
    return failedCall('aborted');
  }
  const { model, purpose, scope } = call;
  const { meter } = entry;
  const startedMs = clock.monotonicMs();
  call.heard?.started(number);
  const called = { provider: model.provider, model: model.providerModel, purpose, attempt: number };
  const traced = scope.trace.callStarted({ ...called, place: call.place, inForm: call.outputSchema !== undefined });
  const limits = { totalMs: endsAtMs - startedMs, firstEventMs: firstEventMs(model) };
  const watchdog = watch(clock, limits, call.signal);
  const output = scope.output.begin(() => watchdog.cut('output_too_long'));
  const served = provider(model.provider);
  const service = scope.retries.serviceAt(model.provider);
  service.underWay += 1;
  // Text that is to be in a form is passed on as it comes only where the provider sees to the form.
  const onText = !call.outputSchema || served.holds?.(call.outputSchema) ? call.onText : undefined;
  const reply = new Reply(call, { meter, output, watchdog, onText });
  const result = await outcomeOf(reply, watchdog.signal, () => served.run(providerCall(call, watchdog.signal), reply));
  service.underWay -= 1;
  service.answered += Number(result.ok);
  watchdog.stop();
  output.end(result.ok);
  const durationMs = clock.monotonicMs() - startedMs;
  const costNanoUsd = entry.close(result.ok ? undefined : result.fault, durationMs);
  call.heard?.ended(result, durationMs);
  traced({ ...result, ...meter.usage, costNanoUsd, durationMs });
  if (result.ok) return result;
  const isSilent = meter.characters === 0;
  // What a model thought before its time was up is paid for: to ask again would be to pay for it twice.
  const final = isSilent && watchdog.signal.aborted;
  return {
    ...result,
    ...windowOf(result, model),
    streamed: reply.hasStreamed,
    final,
    isUnpaid: meter.tokens === 0 && meter.usage === undefined,
  };
}

/** Window that a prompt was too long for: in the provider's words, else as the model's row has it. */
function windowOf({ fault, cause }: FailedCall, { contextTokens: ofRow }: ModelRow): Pick<FailedCall, 'contextTokens'> {
  const named = cause instanceof ModelFault ? cause.contextTokens : undefined;
  const contextTokens = fault === 'context_length' ? (named ?? ofRow ?? undefined) : undefined;
  return contextTokens === undefined ? {} : { contextTokens };
}

/** Result of the attempt. Our own timers name the fault they caused. */
async function outcomeOf(reply: Reply, signal: AbortSignal, run: () => Promise<FinishReason>): Promise<CallResult> {
  try {
    return reply.result(await Promise.race([run(), rejectOnAbort(signal)]));
  } catch (error) {
    const fault = signal.aborted ? signal.reason : error;
    return failedCall(fault instanceof ModelFault ? fault.kind : 'protocol', error);
  }
}

/** Ends the wait for a call that was given up, also when the SDK behind it does not react to the abort. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function providerCall(call: GatewayCall, signal: AbortSignal): ProviderCall {
  const { model, scope, purpose, sampling = {}, outputTokensMax, outputSchema, without = [] } = call;
  const isSent = (part: RequestPart): boolean => !without.includes(part);
  const prompt = isSent('cacheMarks') ? withFewMarks(call.prompt) : unmarked(call.prompt);
  const { temperature, topP } = model.sampling ? sampling : {};
  return {
    ...{ prompt, purpose, signal, inTurn: scope.inTurn, outputTokensMax, outputSchema, without },
    providerModel: model.providerModel,
    promptCacheKey: call.promptCacheKey,
    userId: scope.userId,
    sampling: {
      ...(temperature !== undefined && isSent('temperature') && { temperature }),
      ...(topP !== undefined && isSent('topP') && { topP }),
    },
    reasoningEffort: isSent('reasoningEffort') ? call.reasoningEffort : undefined,
    maxOutputTokens: model.maxOutputTokens,
    thoughtsUnopened: model.thoughtsUnopened,
  };
}
