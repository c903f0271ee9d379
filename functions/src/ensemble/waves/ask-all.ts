import { anySignal } from '../../lib/any-signal';
import type { Clock } from '../../lib/clock';
import type { CallPurpose } from '../../models/model';
import { cutNote, faultWords } from '../../models/model-fault';
import { allOrStop } from '../../runs/run-context';
import { lagMs, patienceMs } from '../deadline/answer-times';
import { noteDegraded, type Run, type StragglerRule } from '../run';
import { callModel, leaveOut, queued, STEP } from './call-model';
import { announcedCall, type Question } from './question';

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
  const spareMs = run.deadline.spareMs();
  const models = questions.map(({ seat }) => seat.model);
  const longestMs = Math.max(0, ...models.map((model) => patienceMs(run.paces, model)));
  const waveMs = Math.min(run.budget.waveMs(), run.deadline.nextWaveMs({ needed, patienceMs: longestMs }));
  if (run.signal.aborted) return questions.map(() => undefined);
  const flaw = run.budget.admit(questions);
  if (flaw !== undefined) return notAsked(run, questions, flaw);
  for (const question of questions) queued(run, question);
  await run.ledger.announce(questions.map(announcedCall));
  const stragglers = watchStragglers(run.clock, {
    ...(quorum !== undefined && { quorum }),
    ...run.request.stragglers,
    lagMs: models.map((model) => lagMs(run.paces, model)),
    waveMs,
    patient,
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
  return allOrStop(asked, stragglers.cut).finally(stragglers.stop);
}

/** Says why a wave is left out. The run goes straight to its answer. */
function notAsked(run: Run, questions: readonly Question[], flaw: string): undefined[] {
  const [{ purpose, round } = { purpose: 'draft', round: 1 } as const] = questions;
  for (const question of questions) {
    queued(run, question);
    leaveOut(run, question, flaw);
  }
  noteDegraded(run, `No ${STEP[purpose]} in round ${Math.max(1, round)}: ${flaw}`);
  return questions.map(() => undefined);
}

/** Verbs for what participants do, where it is not an answer. */
const DONE: Partial<Readonly<Record<CallPurpose, string>>> = {
  plan: 'has planned the work',
  review: 'has reviewed the parts',
  attack: 'has attacked',
};

/** Watches one wave of calls and gives up on those that lag far behind the rest. */
export interface StragglerWatch {
  /** Aborted when the calls still open are to be given up. */
  readonly signal: AbortSignal;
  /** The call of this place waits for its turn, for which it is not given up, or does so no longer. */
  waits(call: number, isWaiting: boolean): void;
  /** The call of this place in the wave is over. */
  finished(call: number, answered: boolean): void;
  /** Gives up on all that are still open, at once. */
  cut(): void;
  stop(): void;
}

/** A wave as it is watched. */
export interface WatchedWave extends StragglerRule {
  /** For each call how long it may go on whatever the others take (`lagMs` of its model). */
  readonly lagMs: readonly number[];
  /** After this the calls still open are given up. */
  readonly waveMs: number;
  /** True if the first answer is waited for even then. */
  readonly patient: boolean;
}

/** Gives up slow calls once a quorum has answered: at twice their median, or after the caller's grace. @internal */
export function watchStragglers(clock: Clock, { lagMs, waveMs, patient, ...rule }: WatchedWave): StragglerWatch {
  const controller = new AbortController();
  const startedMs = clock.nowMs();
  const open = new Map(lagMs.entries());
  const quorum = Math.min(open.size, rule.quorum ?? usualQuorum(open.size));
  const durations: number[] = [];
  let overdue = false;
  const cut = (): void => controller.abort();
  let cancel: () => void = clock.after(waveMs, () => {
    overdue = true;
    if (!patient || durations.length > 0) cut();
  });
  /** From when on each takes its time, where it had to wait. */
  const turnsAtMs = new Map<number, number>();
  const cutAtMs = (): number => {
    if (rule.graceMs !== undefined) return (durations[quorum - 1] ?? 0) + rule.graceMs;
    const usualMs = 2 * median(durations);
    return Math.max(...[...open].map(([call, ms]) => (turnsAtMs.get(call) ?? 0) + Math.max(usualMs, ms)));
  };
  const schedule = (): void => {
    if (durations.length < quorum) return;
    cancel();
    if (open.size === 0) return;
    const leftMs = startedMs + Math.min(waveMs, cutAtMs()) - clock.nowMs();
    cancel = clock.after(Math.max(0, leftMs), cut);
  };
  return {
    signal: controller.signal,
    waits: (call, isWaiting) => {
      turnsAtMs.set(call, isWaiting ? Number.POSITIVE_INFINITY : clock.nowMs() - startedMs);
      schedule();
    },
    finished: (call, answered) => {
      open.delete(call);
      if (answered) durations.push(clock.nowMs() - startedMs);
      if (overdue && answered) cut();
      schedule();
    },
    cut,
    stop: () => cancel(),
  };
}

/** Two thirds; of two one, or the slower would never be given up. */
function usualQuorum(calls: number): number {
  return calls === 2 ? 1 : Math.ceil((2 * calls) / 3);
}

/** Durations arrive in ascending order, so the middle one is the median. */
function median(ascending: readonly number[]): number {
  return ascending[Math.floor(ascending.length / 2)] ?? 0;
}
