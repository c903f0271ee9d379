import { Fault } from '../errors';
import type { SpendTotals } from '../ledger/request-ledger';
import { anySignal } from '../lib/any-signal';
import type { InTurn } from '../lib/turns';
import { RetryBudget } from '../models/gateway/retry-budget';
import { RunOutput } from '../models/gateway/run-output';
import type { Admitted } from './admit';
import type { EventSink } from './run-context';
import { RunObserver } from './run-observer';
import type { Observe, RunEnded } from './trace-event';

/** A run that came to its end: what was made, and what it consumed. */
export interface Finished<Result> {
  readonly result: Result;
  readonly totals: SpendTotals;
}

/** A settlement that takes longer is left to the sweep. */
const SETTLE_MAX_MS = 10_000;

/** Plays an admitted run to its end and settles its record. Never rejects: a failed run is a logged `Fault`. */
export async function run<Result>(
  admitted: Admitted<Result>,
  sink: EventSink,
  observe?: Observe,
): Promise<Finished<Result> | Fault> {
  const { deps, request, ledger } = admitted;
  const isTraced = observe !== undefined && !sink.traceTaken;
  const output = new RunOutput(deps.modelOutput, request.caller.userId, { isTraced });
  const endTrace = request.trace.runStarted();
  const observer = observe && new RunObserver({ observe, ledger, caughtUp: sink.traceTaken });
  const result = await play(admitted, { sink: observedSink(admitted, sink, observer), output, observer });
  const ended = outcomeOf(admitted, result);
  await settle(admitted, ended.outcome);
  output.release();
  admitted.release();
  const { trace } = request;
  const totals = ledger.totals();
  for (const modelId of totals.unpricedModels) deps.tellUnpriced(modelId, request.trace.where);
  observer?.end(ended, totals);
  const { promptTokens, completionTokens, costNanoUsd } = totals;
  trace.note({ promptTokens, completionTokens, costNanoUsd });
  endTrace({ ...totals, fault: result instanceof Fault ? result.code : undefined });
  if (!(result instanceof Fault)) return { result, totals };
  const { log } = deps;
  const write = result.code === 'restarting' ? log.warn : log.error;
  if (!request.clientGone.aborted) write('request failed', trace.where, result);
  return result;
}

/** The same sink; no text leaves before what was called for it is on disk (ADR 7). */
function observedSink(
  { deps: { clock, store }, request }: Admitted<unknown>,
  sink: EventSink,
  observer: RunObserver | undefined,
): EventSink {
  let hasBegun = false;
  let hasSpoken = false;
  let onDisk: Promise<void> | undefined;
  let waiting = 0;
  const pass = (send: () => Promise<void> | undefined): Promise<void> | undefined => {
    if (!hasBegun) {
      hasBegun = true;
      onDisk = sink.live ? store.onDisk?.() : undefined;
    }
    if (!onDisk) return send();
    waiting += 1;
    // Senders may go on without waiting: what comes meanwhile stays behind.
    return onDisk.then(() => {
      waiting -= 1;
      if (waiting === 0) onDisk = undefined;
      return send();
    });
  };
  const say = (send: () => Promise<void> | undefined): Promise<void> | undefined => {
    if (!hasSpoken) request.trace.note({ firstTextMs: clock.nowMs() - request.startedAtMs });
    hasSpoken = true;
    return pass(send);
  };
  const { toolCall, reasoning } = sink;
  return {
    ...sink,
    text: (text) =>
      say(() => {
        observer?.tell({ type: 'answer', text });
        return sink.text(text);
      }),
    ...(toolCall && { toolCall: (piece) => say(() => toolCall(piece)) }),
    ...(reasoning && { reasoning: (piece) => pass(() => reasoning(piece)) }),
  };
}

function outcomeOf(
  { request: { clientGone } }: Admitted<unknown>,
  result: unknown,
): Pick<RunEnded, 'outcome' | 'message'> {
  if (!(result instanceof Fault)) return { outcome: 'complete' };
  return clientGone.aborted ? { outcome: 'stopped' } : { outcome: 'failed', message: result.publicText };
}

/** Parts that a run is played with. */
interface PlayParts {
  readonly sink: EventSink;
  readonly output: RunOutput;
  readonly observer: RunObserver | undefined;
}

async function play<Result>(
  admitted: Admitted<Result>,
  { sink, output, observer }: PlayParts,
): Promise<Result | Fault> {
  const { deps, request, opened, ledger } = admitted;
  const { gateway, clock, log, stopping } = deps;
  const { id, startedAtMs, caller, trace, clientGone } = request;
  const stop = new AbortController();
  const cancelStop = clock.after(startedAtMs + opened.timeLimitMs - clock.nowMs(), () => stop.abort());
  const restart = (): void => stop.abort(new Fault('restarting'));
  stopping.addEventListener('abort', restart);
  // It may have been told while the run was being admitted: no event comes then.
  if (stopping.aborted) restart();
  const endCheckpoints = checkpointRegularly(admitted);
  const signal = anySignal(clientGone, stop.signal);
  const { userId } = caller;
  const inTurn: InTurn = (size, work) => deps.heavyWork.run({ owner: userId, size }, work);
  const scope = { id, userId, retries: new RetryBudget(), output, inTurn, trace };
  try {
    const context = { id, startedAtMs, gateway, scope, ledger, clock, log, sink, signal };
    return await opened.play(observer ? { ...context, observer } : context);
  } catch (cause) {
    const { aborted: timedOut, reason } = stop.signal;
    // What still runs must not go on behind the ledger's back.
    stop.abort();
    if (reason instanceof Fault) return reason;
    const fault = cause instanceof Fault ? cause : new Fault('internal', undefined, { cause });
    if (!timedOut) return fault;
    return new Fault(fault.code, `Time limit reached: ${fault.publicText}`, { cause, headers: fault.headers });
  } finally {
    cancelStop();
    stopping.removeEventListener('abort', restart);
    endCheckpoints();
  }
}

/** Writes down what running calls have consumed, again and again until the function it returns is called. */
function checkpointRegularly({ deps, request: { trace }, ledger }: Admitted<unknown>): () => void {
  const { clock, log, store } = deps;
  const failed = (error: unknown): void => log.warn('checkpoint failed', trace.where, error);
  let isOver = false;
  let cancel = clock.after(store.checkpointEveryMs, write);
  async function write(): Promise<void> {
    await ledger.checkpoint().catch(failed);
    if (!isOver) cancel = clock.after(store.checkpointEveryMs, write);
  }
  return () => {
    isOver = true;
    cancel();
  };
}

/** Closes the record. Never rejects: what cannot be settled in time is settled by the sweep. */
function settle(
  { deps: { clock, log }, request: { trace }, ledger }: Admitted<unknown>,
  outcome: RunEnded['outcome'],
): Promise<void> {
  const failed = (error: unknown): void => log.error('settle failed', trace.where, error);
  const settled = ledger.settle(clock.nowMs(), outcome).catch(failed);
  return new Promise((resolve) => {
    const cancel = clock.after(SETTLE_MAX_MS, () => {
      failed(new Error(`not settled within ${SETTLE_MAX_MS} ms, left to the sweep`));
      resolve();
    });
    void settled.finally(cancel).then(resolve);
  });
}
