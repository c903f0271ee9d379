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
  const rule = { ...(quorum !== undefined && { quorum }), ...request.stragglers };
  const stragglers = new Stragglers(run.clock, {
    ...rule,
    lagMs: models.map((model) => lagMs(paces, model)),
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
  return allOrStop(asked, stragglers.cut).finally(() => stragglers.stop());
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
  review: 'has reviewed the parts',
  attack: 'has attacked',
};

/** A wave as it is watched. @internal */
export interface WatchedWave extends StragglerRule {
  /** For each call how long it may go on whatever the others take (`lagMs` of its model). */
  readonly lagMs: readonly number[];
  /** After this the calls still open are given up. */
  readonly waveMs: number;
  /** True if the first answer is waited for even then. */
  readonly patient: boolean;
}

/** Gives up slow calls of a wave once a quorum has answered: at twice their median, or after the caller's grace. @internal */
export class Stragglers {
  readonly #clock: Clock;
  readonly #wave: WatchedWave;
  readonly #quorum: number;
  readonly #startedMs: number;
  readonly #given = new AbortController();
  /** Calls that are not over, each with its time. */
  readonly #open: Map<number, number>;
  /** From when on each takes its time, where it had to wait for its turn. */
  readonly #turnsAtMs = new Map<number, number>();
  /** Ascending. */
  readonly #durationsMs: number[] = [];
  #isOverdue = false;
  #cancel: () => void;

  constructor(clock: Clock, wave: WatchedWave) {
    this.#clock = clock;
    this.#wave = wave;
    this.#startedMs = clock.nowMs();
    this.#open = new Map(wave.lagMs.entries());
    const calls = wave.lagMs.length;
    // Of two one, or the slower would never be given up.
    this.#quorum = Math.min(calls, wave.quorum ?? (calls === 2 ? 1 : Math.ceil((2 * calls) / 3)));
    this.#cancel = clock.after(wave.waveMs, () => {
      this.#isOverdue = true;
      if (!wave.patient || this.#durationsMs.length > 0) this.cut();
    });
  }

  /** Aborted when the calls still open are to be given up. */
  get signal(): AbortSignal {
    return this.#given.signal;
  }

  /** The call of this place waits for its turn, for which it is not given up, or does so no longer. */
  waits(call: number, isWaiting: boolean): void {
    this.#turnsAtMs.set(call, isWaiting ? Infinity : this.#elapsedMs());
    this.#schedule();
  }

  /** The call of this place in the wave is over. */
  finished(call: number, answered: boolean): void {
    this.#open.delete(call);
    if (answered) this.#durationsMs.push(this.#elapsedMs());
    if (this.#isOverdue && answered) this.cut();
    this.#schedule();
  }

  /** Gives up on all that are still open, at once. */
  readonly cut = (): void => this.#given.abort();

  stop(): void {
    this.#cancel();
  }

  #elapsedMs(): number {
    return this.#clock.nowMs() - this.#startedMs;
  }

  #schedule(): void {
    if (this.#durationsMs.length < this.#quorum) return;
    this.#cancel();
    if (this.#open.size === 0) return;
    const leftMs = Math.min(this.#wave.waveMs, this.#cutAtMs()) - this.#elapsedMs();
    this.#cancel = this.#clock.after(Math.max(0, leftMs), this.cut);
  }

  #cutAtMs(): number {
    const { graceMs } = this.#wave;
    if (graceMs !== undefined) return (this.#durationsMs[this.#quorum - 1] ?? 0) + graceMs;
    const usualMs = 2 * (this.#durationsMs[Math.floor(this.#durationsMs.length / 2)] ?? 0);
    return Math.max(...[...this.#open].map(([call, ms]) => (this.#turnsAtMs.get(call) ?? 0) + Math.max(usualMs, ms)));
  }
}
