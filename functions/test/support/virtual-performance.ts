import { type Clock, sleep } from '../../src/lib/clock';
import { type CallListener, type FinishReason, ModelFault } from '../../src/models/model';
import type { Act, Move, PlayedCall } from './faulty-models';
import { UPSTREAM_WORDS } from './recorded-models';
import { wording } from './virtual-words';

/** Together longer than any run. */
const DRIPS_MAX = 25;
const DRIP_GAP_MS = 30_000;

/** A move, the record of it, and who listens. */
export interface Part {
  readonly move: Move;
  readonly played: PlayedCall;
  readonly listener: CallListener;
}

/** One call being played: what it does is told to the listener and noted in its record. */
export class Performance {
  readonly #clock: Clock;
  readonly #part: Part;
  readonly #signal: AbortSignal;

  constructor(clock: Clock, part: Part) {
    this.#clock = clock;
    this.#part = part;
    this.#signal = part.played.call.signal;
  }

  async play(): Promise<FinishReason> {
    const { move, played } = this.#part;
    await this.#wait(move.afterMs);
    if (move.reporting === 'prompt first') this.#report(1);
    const text = wording(played.purpose, move.words);
    return ACTING[move.act](this, text);
  }

  async answer(text: string): Promise<FinishReason> {
    const { pieces, gapMs } = this.#part.move;
    const length = Math.max(1, Math.ceil(text.length / pieces));
    for (let at = 0; at < text.length; at += length) {
      if (at > 0) await this.#wait(gapMs);
      await this.say(text.slice(at, at + length));
    }
    return this.finish('stop');
  }

  /** The first half of a text, and no end. */
  async half(text: string): Promise<void> {
    await this.say(text.slice(0, Math.ceil(text.length / 2)));
  }

  async drip(): Promise<FinishReason> {
    for (let drops = 0; drops < DRIPS_MAX; drops += 1) {
      if (drops > 0) await this.#wait(DRIP_GAP_MS);
      await this.say('drip ');
    }
    return this.finish('stop');
  }

  async live(): Promise<FinishReason> {
    for (let signs = 0; signs < DRIPS_MAX; signs += 1) {
      this.#part.listener.alive();
      await this.#wait(DRIP_GAP_MS);
    }
    return this.hang();
  }

  async say(text: string): Promise<void> {
    const { played, listener, move } = this.#part;
    if (!this.#signal.aborted) {
      played.text += text;
      played.billIsFinal = false;
    }
    await listener.text(text);
    if (move.reporting === 'all along') this.#report();
  }

  finish(reason: FinishReason): FinishReason {
    const { played, move } = this.#part;
    if (move.reporting !== 'never') this.#report();
    played.delivered = played.text.trim() !== '' && !this.#signal.aborted;
    return reason;
  }

  fail(): never {
    const { fault, retryAfterSeconds } = this.#part.move;
    if (!this.#signal.aborted) this.#part.played.fault = fault;
    throw new ModelFault(fault, { retryAfterSeconds, cause: new Error(UPSTREAM_WORDS) });
  }

  hang(): Promise<never> {
    return new Promise((_, reject) => {
      if (!this.#part.move.heedsAbort) return;
      const stop = (): void => reject(new ModelFault('aborted'));
      if (this.#signal.aborted) stop();
      else this.#signal.addEventListener('abort', stop, { once: true });
    });
  }

  /** The upstream's own count, nothing like our estimate: more for short texts, less for long ones. */
  #report(completionTokens = 5 + Math.ceil(this.#part.played.text.length / 7)): void {
    const { played, listener } = this.#part;
    const promptTokens = 40 + played.call.prompt.turns.reduce((sum, { text }) => sum + text.length, 0);
    const report = { promptTokens, completionTokens, cachedPromptTokens: 17, reasoningTokens: 1 };
    if (!this.#signal.aborted) {
      played.bill = report;
      played.billIsFinal = true;
    }
    listener.usage(report);
  }

  async #wait(delayMs: number): Promise<void> {
    const { heedsAbort } = this.#part.move;
    if (delayMs > 0) await sleep(this.#clock, delayMs, heedsAbort ? this.#signal : undefined);
    if (heedsAbort && this.#signal.aborted) throw new ModelFault('aborted');
  }
}

const ACTING: Readonly<Record<Act, (part: Performance, text: string) => Promise<FinishReason>>> = {
  answers: (part, text) => part.answer(text),
  'is truncated': async (part, text) => {
    await part.half(text);
    return part.finish('length');
  },
  fails: async (part) => part.fail(),
  throws: async (part) => part.fail(),
  hangs: (part) => part.hang(),
  'only lives': (part) => part.live(),
  'is empty': async (part) => part.finish('stop'),
  'is blank': async (part) => {
    await part.say(' \n\t ');
    return part.finish('stop');
  },
  'breaks off': async (part, text) => {
    await part.half(text);
    return part.fail();
  },
  'goes silent': async (part, text) => {
    await part.half(text);
    return part.hang();
  },
  drips: (part) => part.drip(),
};
