import { Fault } from '../errors';
import type { CallResult } from '../models/gateway';
import type { FinishReason } from '../models/model';
import type { CallMeter } from '../usage/books';
import { type AskOptions, askOne, faultWords } from './ask';
import { degrade } from './degrade';
import type { Seat } from './panel';
import { type Question, question } from './question';
import type { Run } from './run';
import type { PromptSheet } from './sheet';

/** Less time than this is not worth a call for an answer. */
const ANSWER_MIN_MS = 3_000;

/**
 * The arbiter ladder, before the first piece of text only: the arbiter, else the surviving participants, best first.
 * Substitution is said openly. Throws `models_failed` when none of them can.
 */
export async function writeAnswer(run: Run, sheet: PromptSheet, authors: readonly Seat[]): Promise<void> {
  const { arbiter } = run.request.panel;
  const seats = ladder(run, authors);
  const tried: string[] = [];
  for (const [rung, seat] of seats.entries()) {
    if (rung === 0) run.emit({ type: 'status', text: `${seat.label} is writing the answer` });
    else degrade(run, `${tried.join(', ')} failed to write the answer; ${seat.label} stepped in`);
    const callId = seat === arbiter ? 'answer' : `answer.${seat.id}`;
    const asked = question({ callId, seat, purpose: 'answer', round: 0 }, sheet);
    const result = await askForAnswer(run, asked, { rung, rungs: seats.length });
    if (result.ok) return;
    tried.push(`${seat.label} (${faultWords(result.fault)})`);
    if (result.streamed)
      throw new Fault('models_failed', `The answer was cut off: ${tried.at(-1)}`, { cause: result.cause });
    if (run.signal.aborted || run.deadline.remainingMs() < ANSWER_MIN_MS) break;
  }
  throw new Fault('models_failed', `No model could write the answer: ${tried.join(', ')}`);
}

/** A place on the ladder, counted from 0. */
export interface Rung {
  readonly rung: number;
  readonly rungs: number;
}

/**
 * Puts the question whose answer is the run's answer: emitted piece by piece to a live reader, else in one. A model
 * that says nothing loses its turn while somebody else could still take it.
 */
export async function askForAnswer(run: Run, asked: Question, rung: Rung): Promise<CallResult> {
  const patience = waitForFirstText(run, rung);
  const options: AskOptions = {
    budgetMs: budgetMs(run, rung),
    signal: AbortSignal.any([run.signal, patience.signal]),
    sampling: run.request.sampling,
    onAttempt: patience.watch,
    ...(run.live && {
      onText: (text: string) => {
        run.emit({ type: 'delta', text });
        return run.backPressure();
      },
    }),
  };
  const result = await askOne(run, asked, options).finally(patience.stop);
  if (result.ok && !run.live) run.emit({ type: 'delta', text: result.text });
  const cut = result.ok ? CUT_OFF[result.finishReason] : undefined;
  if (cut !== undefined) degrade(run, `${asked.seat.label} ${cut}: the answer is cut off`);
  if (!result.ok && patience.signal.aborted) return { ...result, fault: 'timeout' };
  return result;
}

/** Ends of an answer that is not whole. */
const CUT_OFF: Partial<Readonly<Record<FinishReason, string>>> = {
  length: 'reached its length limit',
  content_filter: 'was stopped by a content filter',
};

/** Kept for each of those who are next while an answer that is not shown live may still fail halfway. */
const NEXT_RUNG_MS = 15_000;

function budgetMs(run: Run, rung: Rung): number {
  const leftMs = run.deadline.remainingMs();
  return run.live ? leftMs : Math.max(shareMs(leftMs, rung), leftMs - NEXT_RUNG_MS * (rung.rungs - rung.rung - 1));
}

/** The arbiter's share is half of what is left, each further rung has an equal one of the rest. So everybody has a turn. */
function shareMs(leftMs: number, { rung, rungs }: Rung): number {
  return leftMs / (rung === 0 ? Math.min(2, rungs) : rungs - rung);
}

/** A turn on the ladder, lost when the first text does not come in time. */
interface Patience {
  readonly signal: AbortSignal;
  watch(meter: CallMeter): void;
  stop(): void;
}

/** Its first text must come within a rung's share of the time; the last one has all of it. */
function waitForFirstText(run: Run, rung: Rung): Patience {
  const controller = new AbortController();
  let meter: CallMeter | undefined;
  const silent = (): void => {
    if ((meter?.text ?? '').trim() === '') controller.abort();
  };
  const last = rung.rung === rung.rungs - 1;
  const stop = last ? () => undefined : run.clock.after(shareMs(run.deadline.remainingMs(), rung), silent);
  return {
    signal: controller.signal,
    watch: (started) => {
      meter = started;
    },
    stop,
  };
}

/** Last of all come those who wrote no text for the answer but did not fail either: a red team, a reviewer. */
function ladder({ request, failures }: Run, authors: readonly Seat[]): Seat[] {
  const { arbiter, participants } = request.panel;
  const others = participants.filter(({ id }) => failures.every(({ seat }) => seat.id !== id));
  const seats = [arbiter];
  for (const seat of [...authors, ...others]) {
    if (seats.every((other) => other.model.id !== seat.model.id)) seats.push(seat);
  }
  return seats;
}
