import type { CallPurpose, ModelProvider, ProviderCall, ReportedUsage } from '../../../src/models/model';
import { ModelFault, type ModelFaultKind } from '../../../src/models/model-fault';
import { readPrompt } from './read-prompt';

/** One call that a wave is to consist of: who is asked, and what for. */
export interface Part {
  readonly who: string;
  readonly does: CallPurpose;
}

/** Calls that must be open at the same time, and the round they belong to. */
export interface WavePlan {
  readonly round: number;
  readonly calls: readonly Part[];
}

/** A call as it came in. `round` is that of the wave it was part of. */
export interface HeardCall extends Part {
  readonly round: number;
  readonly call: ProviderCall;
}

/** Reply of a model; a fault comes after the text. */
export interface Speech {
  readonly text: string;
  readonly usage?: ReportedUsage;
  readonly fault?: ModelFaultKind;
}

/** One run as it is to be played. */
export interface WaveScript {
  /** Expected calls, wave by wave; calls beyond it are waves of their own. */
  readonly waves: readonly WavePlan[];
  /** The model id of everybody who may be asked, the arbiter's under `UMPIRE`; several may share one. */
  readonly models: ReadonlyMap<string, string>;
  speak(heard: HeardCall): Speech;
  /** Runs while all calls of a wave are open, before any is answered; waves count from 0. */
  whileOpen?(wave: number): Promise<void>;
}

/** Models that answer wave by wave and remember who was asked what, and when. */
export interface TokenModels {
  readonly provider: ModelProvider;
  /** The waves of the run played last: calls of one were open together, and all answered before the next began. */
  readonly waves: readonly (readonly HeardCall[])[];
  play(script: WaveScript): void;
}

/** Name of the arbiter, whatever its model. */
export const UMPIRE = 'umpire';
const OF_THE_ARBITER: ReadonlySet<CallPurpose> = new Set(['cast', 'analyse', 'answer', 'follow_ups']);
/** A wave that lacks calls is answered after this much real time, so that a wrong one fails instead of hanging. */
const STALL_MS = 1_500;

/** Token models that wait for a script. */
export function createTokenModels(): TokenModels {
  let queue = new WaveQueue({ waves: [], models: new Map(), speak: () => ({ text: '' }) });
  return {
    provider: {
      run: async (call, listener) => {
        const { text, usage, fault } = await queue.hear(call);
        await listener.text(text);
        if (usage) listener.usage(usage);
        // A wait beyond any budget: the call is not tried again.
        if (fault) throw new ModelFault(fault, { retryAfterSeconds: 9_999 });
        return 'stop';
      },
    },
    get waves() {
      return queue.waves;
    },
    play: (script) => {
      queue = new WaveQueue(script);
    },
  };
}

interface OpenCall {
  readonly heard: HeardCall;
  answer(speech: Speech): void;
}

/** Holds the calls of a wave until it is complete, then answers them, the last one first. */
class WaveQueue {
  readonly waves: (readonly HeardCall[])[] = [];
  readonly #script: WaveScript;
  #open: OpenCall[] = [];
  #stalled: NodeJS.Timeout | undefined;

  constructor(script: WaveScript) {
    this.#script = script;
  }

  hear(call: ProviderCall): Promise<Speech> {
    const plan = this.#script.waves[this.waves.length];
    const who = this.#nameOf(call, plan);
    const heard = { who, does: call.purpose, round: plan?.round ?? -1, call };
    const { promise, resolve } = Promise.withResolvers<Speech>();
    this.#open.push({ heard, answer: resolve });
    clearTimeout(this.#stalled);
    const complete = this.#open.length === (plan?.calls.length ?? 1);
    // Whatever else was begun too early comes in within two turns of the event loop.
    if (complete) setImmediate(() => setImmediate(() => void this.#answerAll()));
    else if (plan && this.#open.length < plan.calls.length)
      this.#stalled = setTimeout(() => void this.#answerAll(), STALL_MS);
    return promise;
  }

  async #answerAll(): Promise<void> {
    await this.#script.whileOpen?.(this.waves.length);
    const wave = this.#open;
    this.#open = [];
    this.waves.push(wave.map(({ heard }) => heard));
    for (const { heard, answer } of wave.toReversed()) answer(this.#script.speak(heard));
  }

  /** Name of a caller that shares its model: the author of the text marked as the reader's own, else the next one expected. */
  #nameOf({ providerModel, purpose, prompt }: ProviderCall, plan: WavePlan | undefined): string {
    const { models } = this.#script;
    if (OF_THE_ARBITER.has(purpose) && models.get(UMPIRE) === providerModel) return UMPIRE;
    const named = [...models].filter(([who, id]) => id === providerModel && who !== UMPIRE).map(([who]) => who);
    const [author] = readPrompt(prompt).own.map((token) => token.split('.')[0] ?? '');
    if (author !== undefined && named.includes(author)) return author;
    const asked = this.#open.filter(({ heard }) => heard.does === purpose).map(({ heard }) => heard.who);
    const expected = plan?.calls.filter(({ does }) => does === purpose).map(({ who }) => who) ?? [];
    const next = expected.find((who) => named.includes(who) && !asked.includes(who));
    return next ?? named[0] ?? (models.get(UMPIRE) === providerModel ? UMPIRE : providerModel);
  }
}
