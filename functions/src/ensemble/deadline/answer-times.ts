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
      /** The 95th percentile of what was seen of this model, milliseconds; undefined while that is too little, by default three. */
      p95Ms: (modelId: string, samplesMin?: number) => {
        const durations = seen(modelId).map(([ms]) => ms);
        return paceOf(durations, samplesMin);
      },
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
/** No call is given up before this many times what its model usually takes. */
const LAG = 1.3;

/** Time that a call has since its turn came, once enough others have answered. */
export interface Leeway {
  /** However quick the others were. */
  readonly leastMs: number;
  /** Times what the slowest of them took. */
  readonly times: number;
}

const LEEWAY: Leeway = { leastMs: 15_000, times: 2 };
/** A model thinks before it writes, and for how long is not known yet. */
const THINKING_LEEWAY: Leeway = { leastMs: 45_000, times: 4 };
/** One call alone in its wave: none beside it has had the same to do. */
export const LONE_CALL = THINKING_LEEWAY;
/** More than twice what the slowest took never makes it longer than this. */
const LONG_LEEWAY_MAX_MS = 240_000;

/** The 95th percentile of durations or lengths; undefined where there are too few. @internal */
export function paceOf(figures: readonly number[], samplesMin = SAMPLES_MIN): number | undefined {
  if (figures.length < samplesMin) return undefined;
  const ascending = figures.toSorted((a, b) => a - b);
  return ascending[Math.ceil(0.95 * ascending.length) - 1];
}

/** Milliseconds for which a thinking model is waited for: twice its usual time; 0 for a model that writes at once. */
export function patienceMs(paces: ModelPaces, model: ModelRow): number {
  if (!thinksFirst(model)) return 0;
  const usualMs = paces.p95Ms(model.id);
  return Math.min(firstEventMs(model), usualMs === undefined ? Number.POSITIVE_INFINITY : PATIENCE * usualMs);
}

/** Leeway of a call of a model: by its kind, or `usual`, and never less than its own pace, of however few texts. */
export function leewayOf(paces: ModelPaces, model: ModelRow, usual?: Leeway): Leeway {
  const isUnknown = thinksFirst(model) && paces.p95Ms(model.id) === undefined;
  const { leastMs, times } = usual ?? (isUnknown ? THINKING_LEEWAY : LEEWAY);
  return { leastMs: Math.max(leastMs, LAG * (paces.p95Ms(model.id, 1) ?? 0)), times };
}

/** Milliseconds of a leeway where the slowest that answered took so long. */
export function leewayMs({ leastMs, times }: Leeway, slowestMs: number): number {
  return Math.max(leastMs, LEEWAY.times * slowestMs, Math.min(times * slowestMs, LONG_LEEWAY_MAX_MS));
}
