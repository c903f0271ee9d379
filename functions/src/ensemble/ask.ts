import type { AttemptBook, CallResult } from '../models/gateway';
import {
  type CallPurpose,
  estimatePromptTokens,
  type ModelFaultKind,
  type ModelPrompt,
  type Sampling,
} from '../models/model';
import type { PlannedCall } from '../usage/books';
import type { CallOutcome } from '../usage/call-row';
import type { Authored } from './anonymise';
import { degrade } from './degrade';
import type { Seat } from './panel';
import type { Run } from './run';
import { watchStragglers } from './stragglers';

/** One call to be made: who is asked what, and why. */
export interface Question {
  /** Unique in the run, e.g. `r2.p1`. */
  readonly callId: string;
  readonly seat: Seat;
  readonly prompt: ModelPrompt;
  readonly purpose: CallPurpose;
  /** 1-based; 0 for the arbiter's calls. */
  readonly round: number;
}

/** How one question is put. */
export interface AskOptions {
  readonly budgetMs: number;
  readonly signal?: AbortSignal;
  readonly sampling?: Sampling;
  /** Set to stream the answer's text as it comes. */
  readonly onText?: (delta: string) => Promise<void> | undefined;
}

/** A question as the books list it. */
export function plannedCall({ callId, seat, prompt, purpose, round }: Question): PlannedCall {
  const promptTokens = estimatePromptTokens(prompt);
  return { callId, model: seat.model, seat: seat.id, purpose, round, promptTokens };
}

/** Puts one question; every attempt is in the books before it starts. Never throws for a model's failure. */
export async function askOne(run: Run, question: Question, options: AskOptions): Promise<CallResult> {
  const result = await run.gateway.call({
    model: question.seat.model,
    prompt: question.prompt,
    purpose: question.purpose,
    signal: options.signal ?? run.signal,
    budgetMs: options.budgetMs,
    ...(options.sampling && { sampling: options.sampling }),
    ...(options.onText && { onText: options.onText }),
    openAttempt: (attempt) => openAttempt(run, question, attempt),
  });
  if (!result.ok) {
    const { seat, purpose } = question;
    run.failures.push({ seat, fault: result.fault });
    if (!run.signal.aborted)
      run.log.callFailed({ requestId: run.id, modelId: seat.model.id, purpose, fault: result.fault }, result.cause);
  }
  return result;
}

/**
 * Puts all questions of a wave at once and returns the answers that came, in the order asked. Says who answered and
 * who did not; cuts stragglers once enough have answered. An empty list means that nobody did.
 */
export async function askAll(run: Run, questions: readonly Question[], budgetMs: number): Promise<Authored[]> {
  if (run.signal.aborted) return [];
  await run.books.plan(questions.map(plannedCall));
  const stragglers = watchStragglers(run.clock, questions.length);
  const signal = AbortSignal.any([run.signal, stragglers.signal]);
  let answered = 0;
  const asked = questions.map(async (question): Promise<Authored | undefined> => {
    const { seat, round } = question;
    const result = await askOne(run, question, { budgetMs, signal });
    if (!result.ok) {
      const why = stragglers.signal.aborted ? 'too slow' : faultWords(result.fault);
      degrade(run, `${seat.label} did not answer in round ${round} (${why})`);
      return undefined;
    }
    stragglers.finished();
    answered += 1;
    run.emit({ type: 'status', text: `${seat.label} answered (${answered} of ${questions.length})` });
    return { seat, text: result.text };
  });
  try {
    return (await Promise.all(asked)).filter((answer) => answer !== undefined);
  } catch (error) {
    // The store failed: no call of the wave may go on unbooked.
    stragglers.cut();
    await Promise.allSettled(asked);
    throw error;
  } finally {
    stragglers.stop();
  }
}

/** Puts the question whose answer is the run's answer: emitted piece by piece to a live reader, else in one. */
export async function askForAnswer(run: Run, question: Question, options: AskOptions): Promise<CallResult> {
  if (!run.live) {
    const result = await askOne(run, question, options);
    if (result.ok) run.emit({ type: 'delta', text: result.text });
    return result;
  }
  const onText = (text: string): Promise<void> | undefined => {
    run.emit({ type: 'delta', text });
    return run.backPressure();
  };
  return askOne(run, question, { ...options, onText });
}

/** A fault as people read it: `rate_limited` → `rate limited`. */
export function faultWords(fault: ModelFaultKind): string {
  return fault.replaceAll('_', ' ');
}

function openAttempt(run: Run, question: Question, attempt: number): AttemptBook | Promise<AttemptBook> {
  const callId = attempt === 1 ? question.callId : `${question.callId}#${attempt}`;
  const listed = run.books.plan([plannedCall({ ...question, callId })]);
  const book: AttemptBook = {
    meter: run.books.meter(callId),
    close: (fault, durationMs) => {
      run.books.close(callId, outcomeOf(fault), durationMs);
    },
  };
  return listed ? listed.then(() => book) : book;
}

/** A call that was cut off by us may have been billed although nothing had come back yet; a refused one was not. */
function outcomeOf(fault: ModelFaultKind | undefined): Exclude<CallOutcome, 'open'> {
  if (fault === undefined) return 'ok';
  return fault === 'timeout' || fault === 'aborted' ? 'aborted' : 'failed';
}
