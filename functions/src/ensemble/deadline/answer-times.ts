import { Lru } from '../../lib/lru';
import { firstEventMs, type ModelRow, thinksFirst } from '../../models/catalog';

/** One text. */
type Sample = readonly [durationMs: number, tokens: number];

/** Latest texts that are remembered of one model for one user. */
const SAMPLES_MAX = 32;
const MODELS_A_USER_MAX = 32;
const USERS_MAX = 500;

/** Durations and lengths of the latest full texts of models, by user; bounded, per process. */
export class AnswerTimes {
  readonly #own = new Lru<string, Lru<string, Sample[]>>(USERS_MAX);

  /** Paces of models for a text of full length, a draft or an answer, as one user may know them. */
  of(userId: string) {
    const seen = (modelId: string): readonly Sample[] => this.#own.get(userId)?.get(modelId) ?? [];
    return {
      /** Notes one such text, its thoughts included. */
      note: (modelId: string, ...sample: Sample): void => this.#note(userId, modelId, sample),
      /** The 95th percentile of what was seen of this model, milliseconds; undefined while that is too little. */
      p95Ms: (modelId: string) => paceOf(seen(modelId).map(([ms]) => ms)),
      /** The same of tokens. */
      p95Tokens: (modelId: string) => paceOf(seen(modelId).map(([, tokens]) => tokens)),
    };
  }

  #note(userId: string, modelId: string, sample: Sample): void {
    const models = this.#own.get(userId) ?? new Lru<string, Sample[]>(MODELS_A_USER_MAX);
    models.set(modelId, [...(models.get(modelId) ?? []).slice(1 - SAMPLES_MAX), sample]);
    this.#own.set(userId, models);
  }
}

export type ModelPaces = ReturnType<AnswerTimes['of']>;

/** Fewer answers than this say nothing about a model's pace. */
const SAMPLES_MIN = 3;
/** A model that thinks may take this many times what it usually does. */
const PATIENCE = 2;
/** No call is given up before this: a fast wave gains nothing from it. */
const LAG_MIN_MS = 60_000;
/** No call is given up before this many times what its model usually takes. */
const LAG = 1.3;

/** The 95th percentile of durations or lengths; undefined where there are too few. @internal */
export function paceOf(figures: readonly number[]): number | undefined {
  if (figures.length < SAMPLES_MIN) return undefined;
  const ascending = figures.toSorted((a, b) => a - b);
  return ascending[Math.ceil(0.95 * ascending.length) - 1];
}

/** Milliseconds for which a thinking model is waited for: twice its usual time; 0 for a model that writes at once. */
export function patienceMs(paces: ModelPaces, model: ModelRow): number {
  if (!thinksFirst(model)) return 0;
  const usualMs = paces.p95Ms(model.id);
  return Math.min(firstEventMs(model), usualMs === undefined ? Number.POSITIVE_INFINITY : PATIENCE * usualMs);
}

/** Milliseconds for which any call at a model may go on, however quick the others of its wave were. */
export function lagMs(paces: ModelPaces, model: ModelRow): number {
  return Math.max(LAG_MIN_MS, LAG * (paces.p95Ms(model.id) ?? 0), patienceMs(paces, model));
}
