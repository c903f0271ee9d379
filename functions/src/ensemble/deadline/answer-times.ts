import { Lru } from '../../lib/lru';
import { type ModelPaces, paceOf } from './model-paces';

/** One text. */
type Sample = readonly [durationMs: number, tokens: number];

/** Latest texts that are remembered of one model for one user. */
const SAMPLES_MAX = 32;
const MODELS_A_USER_MAX = 32;
const USERS_MAX = 500;
/** Users whose recent experience with a model stands for everybody's. */
const WITNESSES_MAX = 15;
/** Fewer users than this say nothing to others: one or two must not decide for everybody. */
const WITNESSES_MIN = 3;

/**
 * Durations and lengths of the latest full texts of models; bounded, per process. A user's own experience
 * counts first. Who has too little is told the middle duration of what others have seen, of models that the deployment knows
 * and once three have: nobody pushes another's model out or makes another wait, and ids that callers make up are their own.
 */
export class AnswerTimes {
  readonly #own = new Lru<string, Lru<string, Sample[]>>(USERS_MAX);
  readonly #shared: ReadonlyMap<string, Map<string, number>>;

  /** `knownModelIds`: the models of the deployment, which are never forgotten. */
  constructor(knownModelIds: Iterable<string> = []) {
    this.#shared = new Map([...knownModelIds].map((id) => [id, new Map()]));
  }

  /** Paces that one user may know. */
  of(userId: string): ModelPaces {
    const seen = (modelId: string): readonly Sample[] => this.#own.get(userId)?.get(modelId) ?? [];
    return {
      note: (modelId, ...sample) => this.#note(userId, modelId, sample),
      p95Ms: (modelId) => paceOf(seen(modelId).map(([ms]) => ms)) ?? this.#commonMs(modelId),
      p95Tokens: (modelId) => paceOf(seen(modelId).map(([, tokens]) => tokens)),
    };
  }

  #note(userId: string, modelId: string, sample: Sample): void {
    const models = this.#own.get(userId) ?? new Lru<string, Sample[]>(MODELS_A_USER_MAX);
    const samples = [...(models.get(modelId) ?? []).slice(1 - SAMPLES_MAX), sample];
    models.set(modelId, samples);
    this.#own.set(userId, models);
    const paceMs = paceOf(samples.map(([ms]) => ms));
    if (paceMs !== undefined) this.#bearWitness(userId, modelId, paceMs);
  }

  #bearWitness(userId: string, modelId: string, paceMs: number): void {
    const witnesses = this.#shared.get(modelId);
    if (!witnesses) return;
    witnesses.delete(userId);
    witnesses.set(userId, paceMs);
    const [oldest] = witnesses.keys();
    if (witnesses.size > WITNESSES_MAX && oldest !== undefined) witnesses.delete(oldest);
  }

  /** The middle one of what users have seen; of two middle ones the shorter. */
  #commonMs(modelId: string): number | undefined {
    const ascending = [...(this.#shared.get(modelId)?.values() ?? [])].sort((a, b) => a - b);
    return ascending.length < WITNESSES_MIN ? undefined : ascending[Math.ceil(ascending.length / 2) - 1];
  }
}
