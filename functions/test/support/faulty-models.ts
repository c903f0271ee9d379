import { type Clock, sleep } from '../../src/lib/clock';
import {
  type CallListener,
  type CallPurpose,
  type FinishReason,
  ModelFault,
  type ModelFaultKind,
  type ModelProvider,
  type ProviderCall,
  type ReportedUsage,
} from '../../src/models/model';
import { UPSTREAM_WORDS } from './recorded-models';
import { wording } from './virtual-words';

/** What a model can do with a call. */
export const ACTS = [
  'answers',
  'is truncated',
  'fails',
  'throws',
  'hangs',
  'only lives',
  'is empty',
  'is blank',
  'breaks off',
  'goes silent',
  'drips',
] as const;
export type Act = (typeof ACTS)[number];

/** When a call's tokens are reported; each report is the sum so far. */
export type Reporting = 'at the end' | 'all along' | 'prompt first' | 'never';

/** How one call is played. */
export interface Move {
  readonly act: Act;
  /** Silence before anything happens. */
  readonly afterMs: number;
  /** An answer's text comes in this many pieces, */
  readonly pieces: number;
  /** this far apart. */
  readonly gapMs: number;
  /** Which of the texts that fit the purpose. */
  readonly words: number;
  /** A model that does not notice an abort goes on for a while behind everybody's back. */
  readonly heedsAbort: boolean;
  readonly fault: ModelFaultKind;
  readonly retryAfterSeconds: number | undefined;
  readonly reporting: Reporting;
}

/** What a model does: its moves in turn; at the arbiter's work others, where given. */
export interface Character {
  /** Answers every call within three seconds. */
  readonly able: boolean;
  readonly moves: readonly Move[];
  readonly asArbiter?: readonly Move[];
}

export type Bill = Required<Omit<ReportedUsage, 'cacheWritePromptTokens'>>;

/** One call as the upstream saw it. */
export interface PlayedCall {
  readonly model: string;
  readonly purpose: CallPurpose;
  readonly call: ProviderCall;
  readonly act: Act;
  /** How it failed, where it did so by itself. */
  fault: ModelFaultKind | undefined;
  /** The text sent before the call was given up. */
  text: string;
  /** The last usage frame sent before the call was given up: what the upstream bills. */
  bill: Bill | undefined;
  /** Whether that frame came after all the text. */
  billIsFinal: boolean;
  /** Whether it ended by itself. */
  ended: boolean;
  /** Whether it came to its end with something to read, in time. */
  delivered: boolean;
  /** Whether it was given up before it began. */
  readonly late: boolean;
}

/** A provider that keeps a record of what it was asked, did and billed. */
export interface FaultyModels {
  readonly provider: ModelProvider;
  readonly calls: readonly PlayedCall[];
}

const ARBITERS_WORK: ReadonlySet<CallPurpose> = new Set(['cast', 'analyse', 'answer', 'follow_ups']);
/** Together longer than any run. */
const DRIPS_MAX = 25;
const DRIP_GAP_MS = 30_000;

/** Plays `characters` by provider model name. `onCall` is told of each call as it arrives. */
export function faultyModels(
  clock: Clock,
  characters: ReadonlyMap<string, Character>,
  onCall: (calls: number) => void = () => undefined,
): FaultyModels {
  const calls: PlayedCall[] = [];
  const turns = new Map<string, number>();

  const moveOf = ({ providerModel, purpose }: ProviderCall): Move => {
    const character = characters.get(providerModel);
    if (!character) throw new Error(`nobody plays ${providerModel}`);
    const seated = character.asArbiter && ARBITERS_WORK.has(purpose);
    const moves = seated ? character.asArbiter : character.moves;
    const key = `${providerModel} ${seated}`;
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    const move = moves[turn % moves.length];
    if (!move) throw new Error(`${providerModel} has no moves`);
    return move;
  };

  // Not async: a model may throw before there is a promise.
  const run: ModelProvider['run'] = (call, listener) => {
    const move = moveOf(call);
    const { providerModel: model, purpose } = call;
    const record = { fault: undefined, text: '', bill: undefined, billIsFinal: false, ended: false, delivered: false };
    const played: PlayedCall = { model, purpose, call, act: move.act, late: call.signal.aborted, ...record };
    calls.push(played);
    onCall(calls.length);
    if (move.act === 'throws') {
      played.ended = true;
      throw new Error(UPSTREAM_WORDS);
    }
    return new Performance(clock, { move, played, listener }).play().finally(() => {
      played.ended = true;
    });
  };
  return { provider: { run }, calls };
}

interface Part {
  readonly move: Move;
  readonly played: PlayedCall;
  readonly listener: CallListener;
}

/** One call being played. */
class Performance {
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
