import { Lru } from '../../lib/lru';
import { type ModelPaces, paceOf } from './model-paces';

/** Of one model, for one user: its latest durations. */
const SAMPLES_MAX = 32;
const MODELS_A_USER_MAX = 32;
const USERS_MAX = 500;
/** Of one model the users whose experience stands for everybody's, those of late. */
const WITNESSES_MAX = 15;
/** Fewer users than this say nothing to others: one or two must not decide for everybody. */
const WITNESSES_MIN = 3;

/** Where what models take is remembered, whoever asks them. */
export interface PaceRecord {
  /** What one user may know of it. */
  of(userId: string): ModelPaces;
}

/**
 * How long models took for their latest full texts, kept per process and bounded. A user's own experience counts first;
 * who has too little of it is told the middle one of what others have seen, of models that the deployment knows and once
 * three of them have. So one user neither pushes another's model out nor makes another wait: each has a share of its own,
 * ids that callers make up are known to their caller alone, and a lone witness is never the middle of three.
 */
export class AnswerTimes implements PaceRecord {
  readonly #own = new Lru<string, Lru<string, number[]>>(USERS_MAX);
  readonly #shared: ReadonlyMap<string, Map<string, number>>;

  /** `knownModelIds`: the models of the deployment, which are never forgotten. */
  constructor(knownModelIds: Iterable<string> = []) {
    this.#shared = new Map([...knownModelIds].map((id) => [id, new Map()]));
  }

  of(userId: string): ModelPaces {
    return {
      note: (modelId, durationMs) => this.#note(userId, modelId, durationMs),
      p95Ms: (modelId) => paceOf(this.#own.get(userId)?.get(modelId) ?? []) ?? this.#commonMs(modelId),
    };
  }

  #note(userId: string, modelId: string, durationMs: number): void {
    const models = this.#own.get(userId) ?? new Lru<string, number[]>(MODELS_A_USER_MAX);
    const samples = [...(models.get(modelId) ?? []).slice(1 - SAMPLES_MAX), durationMs];
    models.set(modelId, samples);
    this.#own.set(userId, models);
    const paceMs = paceOf(samples);
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
