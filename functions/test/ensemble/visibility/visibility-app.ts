import type { ReportedUsage } from '../../../src/models/model';
import { type App, startApp } from '../../support/app';
import { readStream, type WireCompletion, type WireStream } from '../../support/wire';
import { MESSAGES, SAMPLING } from './conversation';
import { analysisOf, type ExpectedWave, modelIdOf, prose, type Setup, type StrategyProof } from './setup';
import { createTokenModels, type HeardCall, type Speech, UMPIRE, type WaveScript } from './wave-models';

/** Settings of a run beside its strategy and setup. */
export interface Overrides {
  /** Expected waves, where they are not those that the strategy promises for the setup. */
  readonly waves?: readonly ExpectedWave[];
  /** Reply in place of the script's; undefined leaves a call to the strategy's own script. */
  readonly speak?: (heard: HeardCall) => string | Speech | undefined;
  /** Other models than everybody's own; the arbiter's under `UMPIRE`. */
  readonly models?: Readonly<Record<string, string>>;
  /** Fields over those of `ai_ensemble`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Usage that a call reports; else the words are counted. */
  readonly usage?: (heard: HeardCall) => ReportedUsage;
  readonly whileOpen?: WaveScript['whileOpen'];
}

/** A run that has ended. */
export interface EndedRun<Reply> {
  readonly waves: readonly (readonly HeardCall[])[];
  readonly calls: readonly HeardCall[];
  readonly status: number;
  readonly reply: Reply;
}

/** The whole service with models that speak by a script. */
export interface VisibilityApp {
  readonly app: App;
  run(proof: StrategyProof, setup: Setup, overrides?: Overrides): Promise<EndedRun<WireCompletion>>;
  /** The same, streamed. */
  stream(proof: StrategyProof, setup: Setup, overrides?: Overrides): Promise<EndedRun<WireStream>>;
}

/** Starts it; every run finds an empty rate window. */
export async function startVisibilityApp(): Promise<VisibilityApp> {
  const models = createTokenModels();
  const app = await startApp({ provider: models.provider });
  const heard = () => ({ waves: models.waves, calls: models.waves.flat() });
  return {
    app,
    run: async (proof, setup, overrides = {}) => {
      models.play(waveScriptOf(proof, setup, overrides));
      const { status, body } = await app.complete(requestOf(proof, setup, overrides));
      return { ...heard(), status, reply: body };
    },
    stream: async (proof, setup, overrides = {}) => {
      models.play(waveScriptOf(proof, setup, overrides));
      await app.clock.advance(60_000);
      const response = await app.chat({ ...requestOf(proof, setup, overrides), stream: true });
      const reply = await readStream(response);
      return { ...heard(), status: response.status, reply };
    },
  };
}

function requestOf(
  { strategy }: StrategyProof,
  setup: Setup,
  { models = {}, options }: Overrides,
): Record<string, unknown> {
  const { members, rounds, explained } = setup;
  return {
    model: models[UMPIRE] ?? modelIdOf(UMPIRE),
    messages: MESSAGES,
    temperature: SAMPLING.temperature,
    top_p: SAMPLING.topP,
    ai_ensemble: {
      strategy,
      rounds,
      models: members.map((who) => models[who] ?? modelIdOf(who)),
      includeReasoning: explained,
      ...options,
    },
  };
}

function waveScriptOf(proof: StrategyProof, setup: Setup, overrides: Overrides): WaveScript {
  const { models = {}, waves = proof.waves(setup), usage, whileOpen } = overrides;
  const speakers = proof.speakers?.(setup.members) ?? setup.members;
  const say = (heard: HeardCall): string | Speech => {
    const overridden = overrides.speak?.(heard);
    if (overridden !== undefined) return overridden;
    if (heard.does === 'answer') return 'It is one. ~umpire.answer~';
    // The arbiter's comparison is JSON also among models that do not care for forms.
    const formal = setup.formal || heard.does === 'analyse' ? proof.speak(heard, setup) : undefined;
    return formal ?? (heard.does === 'analyse' ? analysisOf(heard) : prose(heard));
  };
  return {
    waves,
    models: new Map([...speakers, UMPIRE].map((who) => [who, models[who] ?? modelIdOf(who)])),
    speak: (heard) => {
      if (setup.silent?.includes(`${heard.who}.${heard.round}`)) return { text: '', fault: 'not_found' };
      const said = say(heard);
      return { ...(typeof said === 'string' ? { text: said } : said), ...(usage && { usage: usage(heard) }) };
    },
    ...(whileOpen && { whileOpen }),
  };
}
