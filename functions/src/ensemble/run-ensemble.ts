import { Fault } from '../errors';
import type { Clock } from '../lib/clock';
import type { Log } from '../lib/log';
import type { ModelGateway } from '../models/gateway';
import type { RequestScope } from '../models/request-scope';
import { RetryBudget } from '../models/retry-budget';
import type { Books } from '../usage/books';
import { checkpointRegularly } from '../usage/checkpoints';
import { modelNameMask } from './anonymise';
import type { AnswerTimes } from './answer-times';
import { newConversation, userText } from './conversation';
import { Deadline } from './deadline';
import { degrade } from './degrade';
import type { Audience } from './events';
import type { EnsembleRequest, Run } from './run';
import { strategyFor } from './strategies';

/** A run's surroundings. */
export interface RunSetup extends Audience {
  readonly id: string;
  readonly startedAtMs: number;
  readonly request: EnsembleRequest;
  readonly gateway: ModelGateway;
  readonly trace: RequestScope['trace'];
  readonly books: Books;
  readonly clock: Clock;
  readonly answerTimes: AnswerTimes;
  readonly log: Log;
  /** Aborted when the client has left. */
  readonly clientGone: AbortSignal;
}

/** How a run ended; a failure carries the text a client may see. */
export type RunOutcome = { readonly ok: true } | { readonly ok: false; readonly fault: Fault };

/** Plays one request to its end: strategy, hard stop, checkpoints. Never throws; the caller settles the books. */
export async function runEnsemble(setup: RunSetup): Promise<RunOutcome> {
  const { clock, request, startedAtMs } = setup;
  const strategy = strategyFor(request);
  const deadline = new Deadline(clock, startedAtMs, {
    waves: strategy.waves(request),
    judges: strategy.judges || request.includeExplanation,
    answerP95Ms: () => answerP95Ms(setup),
  });
  const stop = new AbortController();
  let timedOut = false;
  const cancelHardStop = clock.after(deadline.remainingMs(), () => {
    timedOut = true;
    stop.abort();
  });
  const stopCheckpoints = checkpointRegularly(setup);
  const signal = AbortSignal.any([setup.clientGone, stop.signal]);
  const run: Run = {
    ...setup,
    scope: { id: setup.id, retries: new RetryBudget(), trace: setup.trace },
    deadline,
    signal,
    failures: [],
    notes: [],
    conversation: newConversation(setup),
    mask: maskOf(request),
  };
  for (const shortcoming of request.shortcomings ?? []) degrade(run, shortcoming);
  try {
    await strategy.play(run);
    return { ok: true };
  } catch (cause) {
    // What still runs must not go on behind the books' back.
    stop.abort();
    const fault = cause instanceof Fault ? cause : new Fault('internal', undefined, { cause });
    if (!timedOut) return { ok: false, fault };
    return { ok: false, fault: new Fault(fault.code, `Time limit reached: ${fault.publicText}`, { cause }) };
  } finally {
    cancelHardStop();
    stopCheckpoints();
  }
}

/** Of the reserve, this much a model: when nobody writes, everybody is given a turn, half of the time after the arbiter's. */
const LADDER_MS_A_MODEL = 8_000;

/** The arbiter's pace; for a large panel more, so that a quick arbiter does not leave the others without a turn. */
function answerP95Ms({ answerTimes, request: { panel } }: RunSetup): number | undefined {
  const paceMs = answerTimes.p95Ms(panel.arbiter.model.id);
  const models = new Set(panel.participants.map(({ model }) => model.id)).size;
  return paceMs === undefined ? undefined : Math.max(paceMs, models * LADDER_MS_A_MODEL);
}

/** One mask a run: it is applied to every draft in every round, and the user's words may be long. */
function maskOf(request: EnsembleRequest): (text: string) => string {
  const { participants, arbiter } = request.panel;
  const names = [...participants, arbiter].flatMap(({ model }) => [model.id, model.name]);
  return modelNameMask(names, userText(request));
}
