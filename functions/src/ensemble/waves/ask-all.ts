import { anySignal } from '../../lib/any-signal';
import type { CallPurpose } from '../../models/model';
import { cutNote, faultWords } from '../../models/model-fault';
import { allOrStop } from '../../runs/run-context';
import { LONE_CALL, leewayOf, patienceMs } from '../deadline/answer-times';
import { noteDegraded, type Run } from '../run';
import { callModel, leaveOut, queued, STEP } from './call-model';
import { announcedCall, type Question } from './question';
import { Stragglers } from './stragglers';

/** Options of a wave. */
export interface WaveOptions {
  /** The run has nothing yet: it gets more than an equal share of the time. */
  readonly needed?: boolean;
  /** No other model is left to ask: the first answer is waited for as long as there is time at all. */
  readonly patient?: boolean;
  /** So many answers are enough to give up on those who lag, unless the caller has said how many. Default: two thirds. */
  readonly quorum?: number;
}

/** A reply of a wave: its text, and whether it is cut off, or may be. */
export interface WaveReply {
  readonly text: string;
  readonly isCut: boolean;
}

/** Asks the questions of a wave at once; returns replies in order, undefined where a model failed. */
export async function askAll(
  run: Run,
  questions: readonly Question[],
  { needed = false, patient = false, quorum }: WaveOptions = {},
): Promise<(WaveReply | undefined)[]> {
  const { paces, deadline, budget, request } = run;
  const spareMs = deadline.spareMs();
  const models = questions.map(({ seat }) => seat.model);
  const longestMs = Math.max(0, ...models.map((model) => patienceMs(paces, model)));
  const waveMs = Math.min(budget.waveMs(), deadline.nextWaveMs({ needed, patienceMs: longestMs }));
  if (run.signal.aborted) return questions.map(() => undefined);
  const flaw = budget.admit(questions);
  for (const question of questions) queued(run, question);
  if (flaw !== undefined) return notAsked(run, questions, flaw);
  await run.ledger.announce(questions.map(announcedCall));
  const { quorum: wanted = quorum, graceMs } = request.stragglers ?? {};
  const isLone = models.length === 1 && !needed && !patient && wanted === undefined && graceMs === undefined;
  const slowestMs = isLone ? deadline.slowestMs : 0;
  const stragglers = new Stragglers(run.clock, {
    ...{ waveMs, patient, graceMs, slowestMs },
    // Texts of earlier waves stand for the others that one call alone has not.
    quorum: slowestMs > 0 ? 0 : wanted,
    leeways: models.map((model) => leewayOf(paces, model, slowestMs > 0 ? LONE_CALL : undefined)),
  });
  const signal = anySignal(run.signal, stragglers.signal);
  let answered = 0;
  const asked = questions.map(async (question, place) => {
    const { seat, round, purpose } = question;
    const result = await callModel(run, question, {
      budgetMs: patient ? spareMs : waveMs,
      signal,
      onWait: (isWaiting) => stragglers.waits(place, isWaiting),
    });
    stragglers.finished(place, result.ok);
    if (!result.ok) {
      const why = stragglers.signal.aborted && result.fault === 'aborted' ? 'too slow' : faultWords(result);
      noteDegraded(run, `${seat.label} did not answer in round ${Math.max(1, round)} (${why})`);
      return undefined;
    }
    answered += 1;
    const cut = cutNote(seat.label, `its text of round ${Math.max(1, round)}`, result.finishReason);
    if (cut !== undefined) noteDegraded(run, cut);
    run.sink.status(`${seat.label} ${DONE[purpose] ?? 'answered'} (${answered} of ${questions.length})`);
    return { text: result.text, isCut: cut !== undefined };
  });
  return allOrStop(asked, stragglers.cut).finally(() => {
    stragglers.stop();
    deadline.answeredAfter(stragglers.slowestMs);
  });
}

/** Says why a wave is left out. The run goes straight to its answer. */
function notAsked(run: Run, questions: readonly Question[], flaw: string): undefined[] {
  const [{ purpose, round } = { purpose: 'draft', round: 1 } as const] = questions;
  for (const question of questions) leaveOut(run, question, flaw);
  noteDegraded(run, `No ${STEP[purpose]} in round ${Math.max(1, round)}: ${flaw}`);
  return questions.map(() => undefined);
}

/** Verbs for what participants do, where it is not an answer. */
const DONE: Partial<Readonly<Record<CallPurpose, string>>> = {
  plan: 'has planned the work',
  advise: 'has given advice',
  review: 'has reviewed the parts',
  attack: 'has attacked',
};
