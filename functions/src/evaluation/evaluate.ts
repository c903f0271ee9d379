import { modelNameMask } from '../ensemble/anonymise';
import { Fault } from '../errors';
import type { RequestScope } from '../models/request-scope';
import { RetryBudget } from '../models/retry-budget';
import type { PlannedCall } from '../usage/books';
import { checkpointRegularly } from '../usage/checkpoints';
import { conclude, type Evaluated } from './conclude';
import type { EvaluationRequest } from './evaluation';
import { Hearing } from './hearing';
import { type FirstLooks, hearJudge, type Outcome, plannedJudgeCall } from './judge';
import type { Opinion } from './judge-prompts';
import { CALLS_AT_ONCE_MAX, JudgeSlots } from './judge-slots';
import { Layout } from './layout';
import { materialOf } from './material';
import { type JudgeCall, planEvaluation, secondLooks } from './plan';
import { aggregate, isContested } from './scoring';
import type { Preparation, Session } from './session';

/** An evaluation's surroundings. */
export interface EvaluationSetup extends Preparation, Pick<Session, 'id' | 'gateway' | 'books' | 'clock' | 'log'> {
  readonly startedAtMs: number;
  readonly trace: RequestScope['trace'];
  /** Aborted when the client has left. */
  readonly clientGone: AbortSignal;
}

/** How an evaluation ended: judges failing is no failure of it. */
export type EvaluationOutcome =
  | { readonly ok: true; readonly evaluations: readonly Evaluated[] }
  | { readonly ok: false; readonly fault: Fault };

/** The answer is ready by then, of the 540 s that the platform gives: what is not in is counted as missing. */
const DEADLINE_MS = 480_000;
/** A second round with less time than this left is not begun. */
const SECOND_ROUND_TIME_MIN_MS = 120_000;

/** Plans an evaluation; asks nothing. `layoutKey` is a secret of the server's. */
export function prepareEvaluation(layoutKey: Uint8Array, request: EvaluationRequest): Preparation {
  const layout = new Layout(layoutKey, request);
  const material = materialOf(request);
  return { request, layout, material, plan: planEvaluation(request, layout, material) };
}

/** The calls that start at once, as a reservation carries them; each later one is listed just before it starts. */
export function firstWave(prepared: Preparation): PlannedCall[] {
  return prepared.plan.calls.slice(0, CALLS_AT_ONCE_MAX).map((call) => plannedJudgeCall(prepared, call));
}

/** Hears all judges and aggregates what is in at the deadline. Never throws; the caller settles the books. */
export async function evaluate(setup: EvaluationSetup): Promise<EvaluationOutcome> {
  const { clock, startedAtMs } = setup;
  const endsAtMs = startedAtMs + DEADLINE_MS;
  const stop = new AbortController();
  const cancelDeadline = clock.after(Math.max(0, endsAtMs - clock.nowMs()), () => stop.abort());
  const stopCheckpoints = checkpointRegularly(setup);
  const signal = AbortSignal.any([setup.clientGone, stop.signal]);
  try {
    const session: Session = {
      ...setup,
      endsAtMs,
      signal,
      scope: { id: setup.id, retries: new RetryBudget(), trace: setup.trace },
      slots: new JudgeSlots(),
    };
    return { ok: true, evaluations: conclude(setup, await hear(session)) };
  } catch (cause) {
    return { ok: false, fault: cause instanceof Fault ? cause : new Fault('internal', undefined, { cause }) };
  } finally {
    // What still runs must not go on behind the books' back.
    stop.abort();
    cancelDeadline();
    stopCheckpoints();
  }
}

async function hear(session: Session): Promise<Hearing> {
  const { plan, request, clock, signal, endsAtMs } = session;
  const hearing = new Hearing(session);
  for (const { call, outcomes } of await hearAll(session, plan.calls)) hearing.add(call.judge, outcomes);
  if (request.strategy !== 'competitive_refinement') return hearing;
  if (signal.aborted || endsAtMs - clock.nowMs() < SECOND_ROUND_TIME_MIN_MS) return hearing;
  const looks = contestedLooks(session, hearing);
  const calls = secondLooks(plan, (judge, response) => looks(judge, response) !== undefined);
  for (const { call, outcomes } of await hearAll(session, calls, looks)) hearing.revise(call.judge, outcomes);
  return hearing;
}

/** For each judge with scores for a contested response: its own and those of its peers, in no telling order or names. */
function contestedLooks({ request, plan, layout }: Session, hearing: Hearing): FirstLooks {
  const results = aggregate(hearing.rows(), request.weighted);
  const order = layout.judgeOrder(plan.bench);
  const mask = modelNameMask(namesIn(request), request.prompt);
  return (judge, response) => {
    const own = hearing.opinion(judge, response);
    if (!own || !isContested(results[response])) return undefined;
    const peers = order.flatMap((peer) => (peer === judge ? [] : (hearing.opinion(peer, response) ?? [])));
    const masked = (opinion: Opinion): Opinion => ({ ...opinion, reasoning: mask(opinion.reasoning) });
    return { own: masked(own), peers: peers.map(masked) };
  };
}

function namesIn({ judges, responses }: EvaluationRequest): string[] {
  const authors = responses.flatMap(({ modelId, modelName }) => [modelId, modelName]);
  return [...judges.flatMap(({ id, name, model }) => [id, name, model.name]), ...authors];
}

interface Heard {
  readonly call: JudgeCall;
  readonly outcomes: ReadonlyMap<number, Outcome>;
}

/**
 * Makes all calls, side by side as far as the limits let it; resolves in the order of the calls. One that fails cancels
 * no other. Rejects only when the books cannot be kept.
 */
async function hearAll(session: Session, calls: readonly JudgeCall[], looks?: FirstLooks): Promise<Heard[]> {
  const broken = new AbortController();
  const signal = AbortSignal.any([session.signal, broken.signal]);
  const heard = calls.map(
    async (call): Promise<Heard> => ({ call, outcomes: await hearJudge({ ...session, signal }, call, looks) }),
  );
  try {
    return await Promise.all(heard);
  } catch (error) {
    // The store failed: no other call may go on unbooked.
    broken.abort();
    await Promise.allSettled(heard);
    throw error;
  }
}
