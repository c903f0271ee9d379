import { anySignal } from '../../../lib/any-signal';
import { type Leeway, LONE_CALL } from '../../deadline/answer-times';
import type { EnsembleRequest, HeadStart, Run } from '../../run';
import { askAll, type WaveListener, type WaveReply } from '../../waves/ask-all';
import type { CallOptions } from '../../waves/call-model';
import type { Question } from '../../waves/question';
import { asksForFinalAnswer, isExact } from './comparison';
import { hasOpening, withoutOpening } from './opening-line';

/** Drafts that a run on demand begins with. */
export interface FirstDrafts {
  /** The arbiter's, without its opening line; undefined where it failed. */
  readonly first: HeadStart | undefined;
  /** True if it says that no panel is needed. */
  readonly isEnough: boolean;
  /** True once a reader has some of it: it is the answer then. */
  readonly isRead: boolean;
  /** All in hand, the arbiter's first; an empty one of who was too slow. */
  readonly drafts: readonly HeadStart[];
}

/** Lets the drafters write side by side, the arbiter's model first. What none can contradict is read as it comes. */
export async function firstDrafts(run: Run, questions: readonly Question[]): Promise<FirstDrafts> {
  const names = questions.map(({ seat }) => seat.label).join(' and ');
  run.sink.status(`${names} ${questions.length > 1 ? 'are' : 'is'} looking at the message`);
  const reader = new DraftReader(run);
  const [own, ...others] = await askAll(run, questions, { needed: true, listener: reader });
  const { text = '', opening } = own ? withoutOpening(own.text) : {};
  const replies = [text === '' ? undefined : own && { ...own, text: text.trimEnd() }, ...others];
  const drafts = questions.flatMap(({ seat }, place): HeadStart[] => {
    const reply = replies[place];
    if (reply) return [{ seat, ...reply }];
    const isSlow = run.failures.some((failure) => failure.seat === seat && failure.fault === 'aborted');
    // Where neither came there is nothing to go on with, and both are asked again.
    return isSlow && replies.some(Boolean) ? [{ seat, text: '', isCut: false }] : [];
  });
  return { first: replies[0] && drafts[0], isEnough: opening === 'alone', isRead: reader.isRead, drafts };
}

/** Call id of the arbiter's draft. */
export const FIRST = 'first_draft';
/** Reason for which a second draft is given up that can change nothing. */
const NEEDLESS = 'the answer was there first';
/** A longer beginning states no answer that is worth a wait. */
const HELD_CHARACTERS_MAX = 400;

/** True where a draft counts only once it is whole. */
function isHeld({ answerForm, checks }: EnsembleRequest): boolean {
  return answerForm !== undefined || checks !== undefined;
}

/** Reads the first draft as it comes. Once it is the answer, nobody else is waited for, and it has the time it needs. @internal */
export class DraftReader implements WaveListener {
  isRead = false;
  readonly #run: Run;
  readonly #needless = new AbortController();
  #held = '';
  /** True once the first draft is to be whole before anybody reads it. */
  #isClosed = false;

  constructor(run: Run) {
    this.#run = run;
  }

  optionsOf({ callId }: Question, signal: AbortSignal): Partial<CallOptions> {
    if (callId !== FIRST) return { signal: anySignal(signal, this.#needless.signal) };
    const { sink, request, deadline } = this.#run;
    const { sampling, reasoningEffort } = request;
    const own = new AbortController();
    // The wave may end while it is read, and the run after that.
    signal.addEventListener('abort', () => {
      if (!this.isRead) own.abort(signal.reason);
    });
    const mayBeRead = sink.live && !isHeld(request) && !asksForFinalAnswer(request);
    return {
      sampling,
      ...(reasoningEffort && { reasoningEffort }),
      signal: anySignal(this.#run.signal, own.signal),
      // The wave's own end gives up a draft that nobody reads.
      ...(mayBeRead && { onText: this.#show, budgetMs: deadline.remainingMs() }),
    };
  }

  /** A draft that may be the answer is not given up because another model is quicker. */
  leewayOf({ callId }: Question): Leeway | undefined {
    return callId === FIRST ? LONE_CALL : undefined;
  }

  heard({ callId }: Question, reply: WaveReply): void {
    const { text, opening } = withoutOpening(reply.text);
    if (callId !== FIRST) this.#isClosed ||= isExact(reply.text);
    else if (opening === 'alone' && text !== '' && !isHeld(this.#run.request) && !isExact(text))
      this.#needless.abort(NEEDLESS);
  }

  /** Takes a piece of the first draft, and gives it out where that is enough and no other can contradict it. */
  readonly #show = (piece: string): Promise<void> | undefined => {
    if (this.isRead) return this.#run.sink.text(piece);
    if (this.#isClosed) return undefined;
    this.#held += piece;
    if (!hasOpening(this.#held)) return undefined;
    const { text, opening } = withoutOpening(this.#held);
    this.#isClosed = opening === 'panel';
    // Blanks without end would be read again with each.
    if (text === '') this.#held = `${this.#held.trimEnd()}\n`;
    if (this.#isClosed || text === '' || (text.length <= HELD_CHARACTERS_MAX && isExact(text))) return undefined;
    this.isRead = true;
    this.#needless.abort(NEEDLESS);
    return this.#run.sink.text(text);
  };
}
