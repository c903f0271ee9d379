import { anySignal } from '../../lib/any-signal';
import type { AnsweredCall, FailedCall } from '../../models/gateway/gateway-call';
import type { CallPurpose } from '../../models/model';
import { cutNote, faultWords } from '../../models/model-fault';
import { allOrStop } from '../../runs/run-context';
import { type GivenText, majorityStays } from '../agreement/answers-agree';
import { type Leeway, LONE_CALL, leewayOf, patienceMs } from '../deadline/answer-times';
import { noteDegraded, type Run } from '../run';
import { type CallOptions, callModel, leaveOut, queued, STEP } from './call-model';
import { announcedCall, type Question } from './question';
import { Stragglers, usualQuorum } from './stragglers';

/** Options of a wave. */
export interface WaveOptions {
  /** The run has nothing yet: it gets more than an equal share of the time. */
  readonly needed?: boolean;
  /** No other model is left to ask: the first answer is waited for as long as there is time at all. */
  readonly patient?: boolean;
  /** So many answers are enough to give up on those who lag, unless the caller has said how many. Default: two thirds. */
  readonly quorum?: number;
  /** True where of a text its final answer counts: who cannot change which one most have given is not waited for. */
  readonly answersCount?: boolean | undefined;
  /** So many texts of the kind are there already, as if these calls had begun with theirs. Default: none. */
  readonly inHand?: number;
  readonly listener?: WaveListener;
}

/** Listener to the calls of a wave, which has a say in them. */
export interface WaveListener {
  /** Options of a call beside those of its wave, whose signal gives it up. */
  optionsOf(question: Question, signal: AbortSignal): Partial<CallOptions>;
  /** Leeway of a call that is to have another than its model's. */
  leewayOf(question: Question): Leeway | undefined;
  /** Receives each reply as soon as it is whole. */
  heard(question: Question, reply: WaveReply): void;
}

/** A reply of a wave: its text, and whether it is cut off, or may be. */
export type WaveReply = Required<GivenText>;

/** Asks the questions of a wave at once; returns replies in order, undefined where a model failed. */
export async function askAll(
  run: Run,
  questions: readonly Question[],
  options: WaveOptions = {},
): Promise<(WaveReply | undefined)[]> {
  const { deadline, budget, paces } = run;
  const spareMs = deadline.spareMs();
  const longestMs = Math.max(0, ...questions.map(({ seat }) => patienceMs(paces, seat.model)));
  const planned = { needed: options.needed === true, patienceMs: longestMs };
  const waveMs = Math.min(budget.waveMs(), deadline.nextWaveMs(planned));
  if (run.signal.aborted) return questions.map(() => undefined);
  const flaw = budget.admit(questions);
  for (const question of questions) queued(run, question);
  if (flaw !== undefined) return notAsked(run, questions, flaw);
  await run.ledger.announce(questions.map(announcedCall));
  const stragglers = new Stragglers(run.clock, { ...watchedWave(run, questions, options), waveMs });
  const wave: Wave = {
    run,
    stragglers,
    signal: anySignal(run.signal, stragglers.signal),
    budgetMs: options.patient ? spareMs : waveMs,
    compared: comparedIn(run, questions, options),
    listener: options.listener,
    calls: questions.length,
    answered: 0,
  };
  const asked = questions.map((question, place) => ask(wave, question, place));
  return allOrStop(asked, stragglers.cut).finally(() => {
    stragglers.stop();
    deadline.slowestMs = Math.max(deadline.slowestMs, stragglers.slowestMs);
  });
}

/** A wave as it is watched: texts of earlier waves stand for the others that one call alone has not. */
function watchedWave(run: Run, questions: readonly Question[], options: WaveOptions) {
  const { request, deadline, paces } = run;
  const { needed, patient = false, inHand = 0 } = options;
  if (inHand > 0) return restOfWave(run, questions, inHand);
  const { quorum = options.quorum, graceMs } = request.stragglers ?? {};
  const isLone = questions.length === 1 && !needed && !patient && quorum === undefined && graceMs === undefined;
  const slowestMs = isLone ? deadline.slowestMs : 0;
  const usualFor = slowestMs > 0 ? () => LONE_CALL : options.listener?.leewayOf;
  const leeways = questions.map((question) => leewayOf(paces, question.seat.model, usualFor?.(question)));
  return { patient, graceMs, slowestMs, leeways, quorum: slowestMs > 0 ? 0 : quorum };
}

/** The same of a wave that others have begun: where they are enough, a grace counts from when the slowest was in. */
function restOfWave({ request, deadline, paces }: Run, questions: readonly Question[], inHand: number) {
  const { quorum = usualQuorum(questions.length + inHand), graceMs } = request.stragglers ?? {};
  const missing = Math.max(0, quorum - inHand);
  const { slowestMs } = deadline;
  return {
    ...{ patient: false, slowestMs, quorum: missing },
    graceMs: graceMs !== undefined && missing === 0 ? slowestMs + graceMs : graceMs,
    leeways: questions.map(({ seat }) => leewayOf(paces, seat.model)),
  };
}

/** Texts whose final answers count, those in hand first; undefined where all are wanted, or the caller says who is waited for. */
function comparedIn(run: Run, questions: readonly Question[], { answersCount }: WaveOptions): GivenText[] | undefined {
  const { headStart = [], request } = run;
  const { quorum, graceMs } = request.stragglers ?? {};
  const isLeftOpen = quorum === undefined && graceMs === undefined && !request.includeCandidates;
  if (!answersCount || !isLeftOpen) return undefined;
  return questions.every(({ ownAnswer }) => ownAnswer) ? headStart.filter(({ text }) => text !== '') : [];
}

/** A wave under way. */
interface Wave {
  readonly run: Run;
  readonly stragglers: Stragglers;
  readonly signal: AbortSignal;
  readonly budgetMs: number;
  readonly compared: GivenText[] | undefined;
  readonly listener: WaveListener | undefined;
  readonly calls: number;
  answered: number;
}

/** Asks one question of a wave, the one at this place. */
async function ask(wave: Wave, question: Question, place: number): Promise<WaveReply | undefined> {
  const { run, stragglers, signal, budgetMs, compared, listener } = wave;
  const onWait = (isWaiting: boolean): void => stragglers.waits(place, isWaiting);
  const options = { budgetMs, signal, onWait, ...listener?.optionsOf(question, signal) };
  const result = await callModel(run, question, options);
  const open = stragglers.finished(place, result.ok);
  const reply = result.ok ? heard(wave, question, result) : noteMissing(wave, question, result, options.signal);
  if (reply) {
    compared?.push(reply);
    listener?.heard(question, reply);
  }
  if (compared && majorityStays(compared, run.request.answerForm, open)) stragglers.settle();
  return reply;
}

/** The reply of a call that has answered; says so, and that it is cut off. */
function heard(wave: Wave, { seat, round, purpose }: Question, result: AnsweredCall): WaveReply {
  const { run, calls } = wave;
  wave.answered += 1;
  const cut = cutNote(seat.label, `its text of round ${Math.max(1, round)}`, result.finishReason);
  if (cut !== undefined) noteDegraded(run, cut);
  run.sink.status(`${seat.label} ${DONE[purpose] ?? 'answered'} (${wave.answered} of ${calls})`);
  return { text: result.text, isCut: cut !== undefined };
}

/** Says why there is no text: one that could have changed nothing is no limitation. */
function noteMissing(
  { run }: Wave,
  { seat, round }: Question,
  result: FailedCall,
  { reason, aborted }: AbortSignal,
): undefined {
  const isGivenUp = aborted && result.fault === 'aborted';
  const needless: unknown = isGivenUp ? reason : undefined;
  const why = isGivenUp ? 'too slow' : faultWords(result);
  if (typeof needless === 'string') run.sink.status(`${seat.label} was not waited for: ${needless}`);
  else noteDegraded(run, `${seat.label} did not answer in round ${Math.max(1, round)} (${why})`);
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
  review: 'has finished its review',
  attack: 'has attacked',
};
