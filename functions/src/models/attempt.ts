import type { Clock } from '../lib/clock';
import type { EndedCall } from '../lib/request-trace';
import type { CallMeter } from '../usage/books';
import type { ProviderId } from './catalog';
import type { CallResult, GatewayCall } from './gateway';
import { type CallListener, type FinishReason, ModelFault, type ModelFaultKind, type ModelProvider } from './model';
import { type CallTimers, watch } from './watchdog';

/** What an attempt is made with. */
export interface AttemptOptions {
  readonly clock: Clock;
  readonly provider: (id: ProviderId) => ModelProvider;
  readonly firstEventMs?: number;
  readonly idleMs?: number;
}

/** Which try it is, and how long it may take. */
export interface Attempt {
  readonly attempt: number;
  readonly budgetMs: number;
}

/** A call that was never made: nothing was booked, nothing billed. */
export function notCalled(fault: ModelFaultKind): CallResult {
  return { ok: false, fault, cause: undefined, streamed: false };
}

/** One try at one model: booked, watched, traced. Never throws but for a store that cannot list it. */
export async function attemptOnce(options: AttemptOptions, call: GatewayCall, run: Attempt): Promise<CallResult> {
  const { clock, provider, firstEventMs = 120_000, idleMs = 90_000 } = options;
  const book = await call.openAttempt(run.attempt);
  if (call.signal.aborted) {
    // Given up while the attempt was being listed.
    book.cancel();
    return notCalled('aborted');
  }
  const startedMs = clock.nowMs();
  const { model, purpose } = call;
  const traced = call.scope.trace.callStarted({
    provider: model.provider,
    model: model.providerModel,
    purpose,
    attempt: run.attempt,
  });
  const timers: CallTimers = { firstEventMs, idleMs, totalMs: run.budgetMs };
  const dog = watch(clock, timers, call.signal);
  let streamed = false;
  let over = false;
  const pass = (text: string): Promise<void> | undefined => {
    streamed = true;
    const taken = call.onText?.(text);
    if (!taken) return undefined;
    // The reader's slowness is not the model's.
    dog.hold();
    return taken.finally(() => dog.touch());
  };
  const listener: CallListener = {
    text: (delta) => {
      if (over) return undefined;
      dog.touch();
      book.meter.text += delta;
      if (!call.onText || delta === '') return undefined;
      if (streamed) return pass(delta);
      // Blank text is held back until real text follows: an answer of nothing else is empty, and is retried.
      return book.meter.text.trim() === '' ? undefined : pass(book.meter.text);
    },
    usage: (report) => {
      if (over) return;
      book.meter.usage = { ...book.meter.usage, ...report };
      book.meter.reportedAt = book.meter.text.length;
    },
    alive: () => dog.touch(),
  };
  const running = settle(() => provider(call.model.provider).run(providerCall(call, dog.signal), listener));
  const result = await Promise.race([running, givenUp(dog.signal)]);
  over = true;
  dog.stop();
  const ended = judge(result, book.meter.text, dog.verdict);
  const durationMs = clock.nowMs() - startedMs;
  book.close(ended.ok ? undefined : ended.fault, durationMs);
  traced({ ...outcomeOf(ended), ...tokensOf(book.meter), durationMs });
  return ended.ok ? ended : { ...ended, streamed };
}

function outcomeOf(result: CallResult): Pick<EndedCall, 'fault' | 'cause' | 'finishReason'> {
  return result.ok ? { finishReason: result.finishReason } : { fault: result.fault, cause: result.cause };
}

function tokensOf({ usage }: CallMeter): Pick<EndedCall, 'promptTokens' | 'completionTokens'> {
  return {
    ...(usage?.promptTokens !== undefined && { promptTokens: usage.promptTokens }),
    ...(usage?.completionTokens !== undefined && { completionTokens: usage.completionTokens }),
  };
}

function providerCall(call: GatewayCall, signal: AbortSignal): Parameters<ModelProvider['run']>[0] {
  const { model, prompt, purpose, sampling, outputSchema } = call;
  return {
    providerModel: model.providerModel,
    prompt,
    purpose,
    signal,
    sampling: model.sampling && sampling ? sampling : {},
    ...(model.maxOutputTokens !== undefined && { maxOutputTokens: model.maxOutputTokens }),
    ...(outputSchema && { outputSchema }),
  };
}

type Settled = { readonly finishReason: FinishReason } | { readonly error: unknown };

async function settle(run: () => Promise<FinishReason>): Promise<Settled> {
  try {
    return { finishReason: await run() };
  } catch (error) {
    return { error };
  }
}

/** Ends the wait for a call that was given up, also when the SDK behind it does not react to the abort. */
function givenUp(signal: AbortSignal): Promise<Settled> {
  return new Promise((resolve) => {
    const giveUp = (): void => resolve({ error: new ModelFault('aborted') });
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
  });
}

/** What an attempt amounts to: an answer without text is a failure, and our own timers name the cause they had. */
function judge(settled: Settled, text: string, verdict: ModelFaultKind | undefined): CallResult {
  if ('error' in settled) {
    const fault = verdict ?? (settled.error instanceof ModelFault ? settled.error.kind : 'protocol');
    return { ok: false, fault, cause: settled.error, streamed: false };
  }
  if (text.trim() !== '') return { ok: true, text, finishReason: settled.finishReason };
  const fault = settled.finishReason === 'content_filter' ? 'content_filter' : 'empty';
  return { ok: false, fault, cause: undefined, streamed: false };
}
