import type { ReportedUsage } from '../../../src/models/model';
import { type SpecApp, startSpecApp, type WireCompletion } from '../../support/spec-app';
import { readStream, type WireStream } from '../../support/sse';
import { createTokenModels, type HeardCall, type Performance, type Speech, UMPIRE } from '../../support/token-models';
import { MESSAGES, SAMPLING } from './conversation';
import { type ExpectedWave, modelIdOf, prose, type Scene, type StrategyProof } from './scene';

/** What a run is, beside its strategy and scene. */
export interface Staging {
  /** What is expected, where it is not what the strategy promises for the scene. */
  readonly waves?: readonly ExpectedWave[];
  /** What is said instead; undefined leaves a call to the strategy's own script. */
  readonly speak?: (heard: HeardCall) => string | Speech | undefined;
  /** Other models than everybody's own; the arbiter's under `UMPIRE`. */
  readonly models?: Readonly<Record<string, string>>;
  /** Fields over those of `ai_ensemble`. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** What a call reports to have consumed; else the words are counted. */
  readonly usage?: (heard: HeardCall) => ReportedUsage;
  readonly whileOpen?: Performance['whileOpen'];
}

/** A run that was played. */
export interface Played<Reply> {
  readonly waves: readonly (readonly HeardCall[])[];
  readonly calls: readonly HeardCall[];
  readonly status: number;
  readonly reply: Reply;
}

/** The whole service with models that speak by script. */
export interface Theatre {
  readonly app: SpecApp;
  play(proof: StrategyProof, scene: Scene, staging?: Staging): Promise<Played<WireCompletion>>;
  /** The same, streamed. */
  stream(proof: StrategyProof, scene: Scene, staging?: Staging): Promise<Played<WireStream>>;
}

/** Starts it; every run finds an empty rate window. */
export async function openTheatre(): Promise<Theatre> {
  const models = createTokenModels();
  const app = await startSpecApp({ provider: models.provider });
  const heard = () => ({ waves: models.waves, calls: models.waves.flat() });
  return {
    app,
    play: async (proof, scene, staging = {}) => {
      models.play(performanceOf(proof, scene, staging));
      const { status, body } = await app.complete(requestOf(proof, scene, staging));
      return { ...heard(), status, reply: body };
    },
    stream: async (proof, scene, staging = {}) => {
      models.play(performanceOf(proof, scene, staging));
      await app.clock.advance(60_000);
      const response = await app.chat({ ...requestOf(proof, scene, staging), stream: true });
      const reply = await readStream(response);
      return { ...heard(), status: response.status, reply };
    },
  };
}

function requestOf(
  { strategy }: StrategyProof,
  scene: Scene,
  { models = {}, options }: Staging,
): Record<string, unknown> {
  const { members, rounds, explained } = scene;
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

function performanceOf(proof: StrategyProof, scene: Scene, staging: Staging): Performance {
  const { models = {}, waves = proof.waves(scene), usage, whileOpen } = staging;
  const speakers = proof.speakers?.(scene.members) ?? scene.members;
  const say = (heard: HeardCall): string | Speech => {
    const staged = staging.speak?.(heard);
    if (staged !== undefined) return staged;
    if (heard.does === 'answer') return 'It is one. ~umpire.answer~';
    // The arbiter's comparison is JSON also among models that do not care for forms.
    const formal = scene.formal || heard.does === 'analyse' ? proof.speak(heard, scene) : undefined;
    return formal ?? prose(heard, scene);
  };
  return {
    waves,
    models: new Map([...speakers, UMPIRE].map((who) => [who, models[who] ?? modelIdOf(who)])),
    speak: (heard) => {
      if (scene.silent?.includes(`${heard.who}.${heard.round}`)) return { text: '', fault: 'bad_request' };
      const said = say(heard);
      return { ...(typeof said === 'string' ? { text: said } : said), ...(usage && { usage: usage(heard) }) };
    },
    ...(whileOpen && { whileOpen }),
  };
}
