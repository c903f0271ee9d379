import type { Clock } from '../../lib/clock';
import { firstEventMs, type ProviderId } from '../catalog';
import { tokensIn } from '../estimate-tokens';
import {
  type CallListener,
  type FinishReason,
  ModelFault,
  type ModelFaultKind,
  type ModelProvider,
  type ProviderCall,
} from '../model';
import type { Attempt } from './ask-again';
import { type CallMeter, type CallResult, failedCall, type GatewayCall } from './gateway-call';
import { ReplySources } from './reply-sources';
import { ReplyText } from './reply-text';
import { ReplyToolCalls } from './reply-tool-calls';
import type { CallOutput } from './run-output';
import { type Watchdog, watch } from './watchdog';

/** What an attempt is made with. */
export interface AttemptOptions {
  readonly clock: Clock;
  /** Made on first use: an SDK is loaded only when it is called. */
  readonly provider: (id: ProviderId) => ModelProvider;
}

/** One attempt at one model: listed in the ledger, watched, traced. Throws only when the store cannot list it. */
export async function attemptOnce(
  { clock, provider }: AttemptOptions,
  call: GatewayCall,
  { attempt, budgetMs }: Attempt,
): Promise<CallResult> {
  const entry = await call.openAttempt(attempt, call.outputSchema);
  if (call.signal.aborted) {
    entry.cancel();
    return failedCall('aborted');
  }
  const { model, purpose, scope } = call;
  const { meter } = entry;
  const startedMs = clock.nowMs();
  call.heard?.started(attempt);
  const traced = scope.trace.callStarted({ provider: model.provider, model: model.providerModel, purpose, attempt });
  const watchdog = watch(clock, { totalMs: budgetMs, firstEventMs: firstEventMs(model) }, call.signal);
  const text = new ReplyText();
  const toolCalls = new ReplyToolCalls();
  const sources = new ReplySources();
  const output = scope.output.begin(() => watchdog.cut('output_too_long'));
  const served = provider(model.provider);
  // Text that is to be in a form is passed on as it comes only where the provider sees to the form.
  const onText = !call.outputSchema || served.holds?.(call.outputSchema) ? call.onText : undefined;
  const listener = listen({ ...call, onText }, { meter, text, toolCalls, sources, output, watchdog });
  const running = (): Promise<FinishReason> => served.run(providerCall(call, watchdog.signal), listener);
  const result = await outcomeOf(call, running, { meter, text, toolCalls, sources, watchdog });
  watchdog.stop();
  output.end(result.ok);
  const durationMs = clock.nowMs() - startedMs;
  const { promptTokens, completionTokens } = meter.usage ?? {};
  entry.close(result.ok ? undefined : result.fault, durationMs);
  call.heard?.ended(result, durationMs);
  traced({ ...result, promptTokens, completionTokens, durationMs });
  // Whatever it was thinking is paid for: to ask again would be to pay for it twice.
  if (result.ok) return result;
  const isUnpaid = meter.characters === 0 && meter.usage === undefined;
  return { ...result, streamed: listener.hasStreamed(), final: watchdog.wasUnheard(), isUnpaid };
}

/** An attempt under way. */
interface Running {
  readonly meter: CallMeter;
  readonly text: ReplyText;
  readonly toolCalls: ReplyToolCalls;
  readonly sources: ReplySources;
  readonly output: CallOutput;
  readonly watchdog: Watchdog;
}

/** Notes what a model says and passes it on, until the watch ends. */
function listen(
  call: Omit<GatewayCall, 'onText'> & { readonly onText: GatewayCall['onText'] },
  { meter, text, toolCalls, sources, output, watchdog }: Running,
): CallListener & { hasStreamed(): boolean } {
  let streamed = false;
  const pass = (piece: string): Promise<void> | undefined => {
    streamed = true;
    return call.onText?.(piece);
  };
  /** Passes a piece on, where there is anything to be passed on. */
  const take = (delta: string): Promise<void> | undefined => {
    if (!call.onText || delta === '') return undefined;
    if (streamed) return pass(delta);
    // Blank text is held back until real text follows: an answer of nothing else is empty, and asked for again.
    return meter.spoke ? pass(text.toString()) : undefined;
  };
  const grow = (delta: string): void => {
    watchdog.touch();
    meter.characters += delta.length;
    meter.tokens += tokensIn(delta);
    output.grow(meter.characters + toolCalls.reasoning.characters);
    call.onProgress?.();
  };
  /** What is to be waited for before more is read: that it is passed on, and that it comes no faster than it may. */
  const until = (passedOn: Promise<void> | undefined): Promise<void> | undefined => {
    const waits = bothOf(passedOn, output.paced(meter.characters));
    if (!waits) return undefined;
    // The slowness of the reader, or our own, is not the model's.
    watchdog.hold();
    return waits.finally(watchdog.touch);
  };
  return {
    // No accessor: see `watch`.
    hasStreamed: () => streamed,
    text: (delta) => {
      if (watchdog.isOver()) return undefined;
      meter.spoke ||= delta.trim() !== '';
      text.add(delta);
      grow(delta);
      if (!call.heard) return until(take(delta));
      const heard = call.heard.text(delta);
      return until(bothOf(heard, take(delta)));
    },
    toolCall: (piece) => {
      if (watchdog.isOver()) return undefined;
      if (!call.prompt.tools) {
        watchdog.alive();
        return undefined;
      }
      meter.spoke = true;
      toolCalls.add(piece);
      const { begins, arguments: text } = piece;
      grow(begins ? `${begins.id}${begins.name}${text}` : text);
      streamed ||= call.onToolCall !== undefined;
      return until(call.onToolCall?.(piece));
    },
    pending: (characters) => {
      if (!watchdog.isOver()) output.grow(meter.characters + toolCalls.reasoning.characters + characters);
    },
    usage: (report) => {
      if (watchdog.isOver()) return;
      meter.usage = { ...meter.usage, ...report };
      meter.reportedAt = meter.characters;
      call.onProgress?.();
    },
    web: ({ searches = 0, pages = [] }) => {
      if (watchdog.isOver()) return;
      watchdog.alive();
      if (searches > (meter.webSearches ?? 0)) meter.webSearches = searches;
      sources.add(pages);
      call.onProgress?.();
    },
    alive: (_, thought) => {
      if (!watchdog.isOver()) watchdog.alive();
      if (!thought || !call.prompt.tools || watchdog.isOver()) return;
      toolCalls.reasoning.add(thought);
      output.grow(meter.characters + toolCalls.reasoning.characters);
    },
  };
}

function bothOf(one: Promise<void> | undefined, other: Promise<void> | undefined): Promise<void> | undefined {
  return one && other ? Promise.all([one, other]).then(() => undefined) : (one ?? other);
}

/** What the attempt amounts to. Text or a tool call is required, and our own timers name the fault they caused. */
async function outcomeOf(
  call: GatewayCall,
  running: () => Promise<FinishReason>,
  { meter, text, toolCalls, sources, watchdog: { signal } }: Omit<Running, 'output'>,
): Promise<CallResult> {
  try {
    const finishReason = await Promise.race([running(), rejectOnAbort(signal)]);
    if (meter.spoke) {
      const found = sources.list();
      return { ok: true, text: text.toString(), finishReason, ...toolCalls.told(), ...(found && { sources: found }) };
    }
    const outputTokens = meter.usage?.completionTokens ?? call.outputTokensMax;
    const isTold = finishReason === 'length' && outputTokens !== undefined;
    return { ...failedCall(SILENT_ENDS[finishReason] ?? 'empty'), ...(isTold && { outputTokens }) };
  } catch (error) {
    const fault = signal.aborted ? signal.reason : error;
    return failedCall(fault instanceof ModelFault ? fault.kind : 'protocol', error);
  }
}

/** Faults of replies without a text, by their endings. */
const SILENT_ENDS: Partial<Readonly<Record<FinishReason, ModelFaultKind>>> = {
  length: 'output_limit_used_up',
  content_filter: 'content_filter',
  context_window: 'context_length',
};

/** Ends the wait for a call that was given up, also when the SDK behind it does not react to the abort. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function providerCall(call: GatewayCall, signal: AbortSignal): ProviderCall {
  const { model, prompt, purpose, sampling, reasoningEffort, outputTokensMax, outputSchema, without = [] } = call;
  const { temperature, topP } = sampling ?? {};
  return {
    providerModel: model.providerModel,
    prompt,
    purpose,
    signal,
    inTurn: call.scope.inTurn,
    sampling: {
      ...(model.sampling && temperature !== undefined && !without.includes('temperature') && { temperature }),
      ...(model.sampling && topP !== undefined && !without.includes('topP') && { topP }),
    },
    ...(model.reasoningEffort && reasoningEffort && !without.includes('reasoningEffort') && { reasoningEffort }),
    ...(model.maxOutputTokens !== undefined && { maxOutputTokens: model.maxOutputTokens }),
    ...(outputTokensMax !== undefined && { outputTokensMax }),
    ...(outputSchema && { outputSchema }),
    ...(model.thoughtsUnopened && { thoughtsUnopened: true }),
    ...(without.length > 0 && { without }),
  };
}
