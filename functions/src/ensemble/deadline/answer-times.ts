import { Lru } from '../../lib/lru';
import { firstEventMs, type ModelRow, thinksFirst } from '../../models/catalog';

/** Fewer answers than this say nothing about a model's pace. */
const SAMPLES_MIN = 3;
const SAMPLES_MAX = 32;
const MODELS_MAX = 500;
/** A model that thinks may take this many times what it usually does. */
const PATIENCE = 2;

/** How long each model took for its latest full texts, kept per process: what the final call's reserve is learned from. */
export class AnswerTimes {
  readonly #latest = new Lru<string, number[]>(MODELS_MAX);

  /** Notes one text of full length (a draft or an answer). */
  note(modelId: string, durationMs: number): void {
    const samples = this.#latest.get(modelId) ?? [];
    this.#latest.set(modelId, [...samples.slice(1 - SAMPLES_MAX), durationMs]);
  }

  /** The 95th percentile of what was seen of this model; undefined while that is too little. */
  p95Ms(modelId: string): number | undefined {
    const samples = this.#latest.get(modelId) ?? [];
    if (samples.length < SAMPLES_MIN) return undefined;
    const ascending = [...samples].sort((a, b) => a - b);
    return ascending[Math.ceil(0.95 * ascending.length) - 1];
  }

  /**
   * How long a model that thinks before it writes is waited for, whatever others take: twice what it usually needs, and
   * while that is unknown as long as it may be silent. 0 for a model that writes at once.
   */
  patienceMs(model: ModelRow): number {
    if (!thinksFirst(model)) return 0;
    const usualMs = this.p95Ms(model.id);
    return Math.min(firstEventMs(model), usualMs === undefined ? Number.POSITIVE_INFINITY : PATIENCE * usualMs);
  }
}
