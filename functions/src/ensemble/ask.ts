import type { CallResult } from '../models/gateway';
import type { CallPurpose, ModelFaultKind, OutputSchema, Sampling } from '../models/model';
import { openAttempt } from '../usage/attempts';
import type { CallMeter } from '../usage/books';
import { degrade } from './degrade';
import { plannedCall, type Question, shorterQuestion } from './question';
import type { Run } from './run';

/** How one question is put. */
export interface AskOptions {
  readonly budgetMs: number;
  readonly signal?: AbortSignal;
  readonly sampling?: Sampling;
  /** The reply is to be this JSON, where the provider can see to it. */
  readonly outputSchema?: OutputSchema;
  /** Set to stream the answer's text as it comes. */
  readonly onText?: (delta: string) => Promise<void> | undefined;
  /** Told of every attempt as it starts. */
  readonly onAttempt?: (meter: CallMeter) => void;
}

/**
 * Puts one question; every attempt is in the books before it starts. A model that finds it too long gets it once more,
 * shorter. Never throws for a model's failure.
 */
export async function askOne(run: Run, question: Question, options: AskOptions): Promise<CallResult> {
  const startedMs = run.clock.nowMs();
  if (options.budgetMs <= 0) {
    run.books.cancel(question.callId);
    return OUT_OF_TIME;
  }
  if (question.cut) noteCut(run, question);
  const first = await callModel(run, question, options);
  const result = await shortenIfTooLong(run, { question, first, options, startedMs });
  const { seat, purpose } = question;
  if (result.ok) {
    if (FULL_LENGTH.has(purpose)) run.answerTimes.note(seat.model.id, run.clock.nowMs() - startedMs);
    return result;
  }
  run.failures.push({ seat, fault: result.fault });
  return result;
}

/** A fault as people read it: `rate_limited` → `rate limited`. */
export function faultWords(fault: ModelFaultKind): string {
  return fault.replaceAll('_', ' ');
}

/** No call is made for nothing. */
const OUT_OF_TIME: CallResult = { ok: false, fault: 'timeout', cause: undefined, streamed: false };

/** Calls whose text is as long as an answer: they tell how long the final one may take. */
const FULL_LENGTH: ReadonlySet<CallPurpose> = new Set(['draft', 'revise', 'answer']);

async function callModel(run: Run, question: Question, options: AskOptions): Promise<CallResult> {
  let made = false;
  const result = await run.gateway.call({
    scope: run.scope,
    model: question.seat.model,
    prompt: question.prompt,
    purpose: question.purpose,
    signal: options.signal ?? run.signal,
    budgetMs: options.budgetMs,
    ...(options.sampling && { sampling: options.sampling }),
    ...(options.outputSchema && { outputSchema: options.outputSchema }),
    ...(options.onText && { onText: options.onText }),
    openAttempt: async (attempt) => {
      made = true;
      const book = await openAttempt(run.books, plannedCall(question), attempt);
      options.onAttempt?.(book.meter);
      return book;
    },
  });
  // A call that was listed for its wave and then spared is not to be counted.
  if (!made) run.books.cancel(question.callId);
  return result;
}

interface TooLong {
  readonly question: Question;
  readonly first: CallResult;
  readonly options: AskOptions;
  readonly startedMs: number;
}

async function shortenIfTooLong(run: Run, { question, first, options, startedMs }: TooLong): Promise<CallResult> {
  if (first.ok || first.fault !== 'context_length' || first.streamed) return first;
  const shorter = shorterQuestion(question);
  const budgetMs = options.budgetMs - (run.clock.nowMs() - startedMs);
  if (!shorter.cut || budgetMs <= 0) return first;
  noteCut(run, shorter);
  return callModel(run, shorter, { ...options, budgetMs });
}

function noteCut(run: Run, { seat }: Question): void {
  degrade(run, `${seat.label} was shown shortened texts: its context window holds no more`);
}
