import { anySignal } from '../../../lib/any-signal';
import { type AnsweredCall, type CallResult, type FailedCall, failedCall } from '../../../models/gateway/gateway-call';
import { cutNote, faultWords } from '../../../models/model-fault';
import { allOrStop } from '../../../runs/run-context';
import { leewayOf, patienceMs } from '../../deadline/answer-times';
import type { Seat } from '../../panel/panel';
import { type EnsembleRequest, type HeadStart, noteDegraded, type Run } from '../../run';
import { type CallOptions, callModel, leaveOut } from '../../waves/call-model';
import type { Question } from '../../waves/question';
import { Stragglers } from '../../waves/stragglers';
import { asksForFinalAnswer, isExact } from './comparison';
import { OpeningLine, withoutOpening } from './opening-line';

/** Drafts that a run on demand begins with. */
export interface FirstDrafts {
  /** The arbiter's call. */
  readonly result: CallResult;
  /** True once a reader has some of its text, which is the answer then. */
  readonly isRead: boolean;
  /** Drafts that came, the arbiter's without its opening line; an empty one of who was too slow. */
  readonly drafts: readonly HeadStart[];
}

/** Lets the drafters write side by side, the arbiter's model first. What none can contradict is read as it comes. */
export async function firstDrafts(run: Run, questions: readonly Question[]): Promise<FirstDrafts> {
  const asked = affordable(run, questions);
  const names = asked.map(({ seat }) => seat.label).join(' and ');
  run.sink.status(`${names} ${asked.length > 1 ? 'are' : 'is'} looking at the message`);
  const wave = new FirstWave(run, asked);
  const calls = asked.map((each, place) => (place === 0 ? wave.askFirst(each) : wave.askSecond(each)));
  const [result = failedCall('aborted')] = await allOrStop(calls, wave.cut).finally(wave.end);
  const drafts = asked.flatMap(({ seat }) => wave.drafts.get(seat) ?? []);
  return { result, isRead: wave.isRead, drafts };
}

/** Questions that the caller's caps let begin. The first is put in any case: its call is refused where it is too dear. */
function affordable(run: Run, questions: readonly Question[]): readonly Question[] {
  const flaw = run.budget.admit(questions);
  if (flaw === undefined) return questions;
  const [first, ...others] = questions;
  for (const other of others) leaveOut(run, other, flaw);
  noteDegraded(run, `No second draft: ${flaw}`);
  return first ? [first] : [];
}

/** Call id of the arbiter's draft. */
export const FIRST = 'first_draft';

/** True where a draft counts only once it is whole. */
function isHeld({ answerForm, checks }: EnsembleRequest): boolean {
  return answerForm !== undefined || checks !== undefined;
}

/** Reason for which a second draft is given up that can change nothing. */
const NEEDLESS = 'the answer was there first';
/** A longer beginning states no answer that is worth a wait. */
const HELD_CHARACTERS_MAX = 400;

/** Two calls side by side, of which the slower has as long as in any wave. */
class FirstWave {
  isRead = false;
  readonly drafts = new Map<Seat, HeadStart>();
  readonly #run: Run;
  readonly #budgetMs: number;
  readonly #stragglers: Stragglers;
  readonly #needless = new AbortController();
  readonly #line = new OpeningLine();
  #held = '';
  #isSecondExact = false;

  constructor(run: Run, asked: readonly Question[]) {
    const { clock, deadline, budget, paces, request } = run;
    const models = asked.map(({ seat }) => seat.model);
    const longestMs = Math.max(...models.map((model) => patienceMs(paces, model)));
    this.#run = run;
    this.#budgetMs = Math.min(budget.waveMs(), deadline.nextWaveMs({ needed: true, patienceMs: longestMs }));
    this.#stragglers = new Stragglers(clock, {
      ...request.stragglers,
      leeways: models.map((model) => leewayOf(paces, model)),
      slowestMs: 0,
      waveMs: this.#budgetMs,
      patient: false,
    });
  }

  readonly cut = (): void => this.#stragglers.cut();
  readonly end = (): void => {
    this.#stragglers.stop();
    this.#run.deadline.answeredAfter(this.#stragglers.slowestMs);
  };

  async askFirst(asked: Question): Promise<CallResult> {
    const { sink, request, signal } = this.#run;
    const { sampling, reasoningEffort } = request;
    const mayBeRead = sink.live && !isHeld(request) && !asksForFinalAnswer(request);
    const options = {
      sampling,
      ...(reasoningEffort && { reasoningEffort }),
      ...(mayBeRead && { onText: this.#show }),
    };
    const result = await this.#ask(asked, signal, options);
    if (!result.ok) return result;
    const { text, opening } = withoutOpening(result.text);
    this.#note(asked, { ...result, text });
    if (opening === 'alone' && text !== '' && !isHeld(request) && !isExact(text)) this.#decide();
    return result;
  }

  async askSecond(asked: Question): Promise<CallResult> {
    const result = await this.#ask(asked, anySignal(this.#run.signal, this.#needless.signal));
    if (!result.ok) return result;
    const cut = cutNote(asked.seat.label, 'its text of round 1', result.finishReason);
    if (cut !== undefined) noteDegraded(this.#run, cut);
    this.#isSecondExact = isExact(result.text);
    this.#note(asked, result);
    return result;
  }

  async #ask(asked: Question, signal: AbortSignal, options: Partial<CallOptions> = {}): Promise<CallResult> {
    const place = asked.callId === FIRST ? 0 : 1;
    const result = await callModel(this.#run, asked, {
      ...options,
      budgetMs: this.#budgetMs,
      signal: anySignal(signal, this.#stragglers.signal),
      onWait: (isWaiting) => this.#stragglers.waits(place, isWaiting),
    });
    this.#stragglers.finished(place, result.ok);
    if (!result.ok && !this.#needless.signal.aborted) this.#noteFailure(asked, result);
    return result;
  }

  #note({ seat }: Question, { text, finishReason }: AnsweredCall): void {
    this.drafts.set(seat, { seat, text, isCut: finishReason !== 'stop' });
  }

  #noteFailure({ seat }: Question, result: FailedCall): void {
    const isSlow = this.#stragglers.signal.aborted && result.fault === 'aborted';
    noteDegraded(this.#run, `${seat.label} gave no first draft (${isSlow ? 'too slow' : faultWords(result)})`);
    // Where neither came there is nothing to go on with: both are asked again.
    if (isSlow && this.drafts.size > 0) this.drafts.set(seat, { seat, text: '', isCut: false });
  }

  /** Takes a piece of the first draft, and gives it out where that is enough and no other can contradict it. */
  readonly #show = (piece: string): Promise<void> | undefined => {
    const text = this.#line.read(piece);
    this.#held = this.isRead ? text : this.#held + text;
    if (this.#held === '' || !(this.isRead || this.#isBeyondDoubt())) return undefined;
    this.isRead = true;
    this.#decide();
    return this.#run.sink.text(this.#held);
  };

  #isBeyondDoubt(): boolean {
    return !this.#isSecondExact && (this.#held.length > HELD_CHARACTERS_MAX || !isExact(this.#held));
  }

  /** The first draft is the answer: nobody is waited for any longer, and it may take the time it needs. */
  #decide(): void {
    this.#stragglers.stop();
    this.#needless.abort(NEEDLESS);
  }
}
