import { lazy } from '../../lib/lazy';
import { estimatePromptTokens, estimateTokens } from '../../models/estimate-tokens';
import { longReplyTokens, priceCall } from '../../models/prices';
import { isMarked } from '../../models/prompt-caches';
import { SEARCHES, withSearches } from '../../models/web-search';
import type { ModelPaces } from '../deadline/answer-times';
import type { EnsembleRequest } from '../run';
import { callsIn, type RunCalls, type Wave } from './calls';
import { callMs, estimateMs, estimator, replyTokens } from './estimate';
import type { AnswerPlace, Budget, RunLimits, WrittenCall } from './limits';

/** A run as its budget sees it. */
interface BudgetFacts {
  readonly request: EnsembleRequest;
  /** Worked out only where there are limits. */
  readonly calls: () => RunCalls;
  readonly paces: ModelPaces;
  /** Start of the request, whose prices are taken. */
  readonly atMs: number;
  /** Cost of all calls that are over, nano-USD. */
  spentNanoUsd(): number;
  /** Milliseconds since the request's start. */
  elapsedMs(): number;
}

/** Share of a call under way in the budget. */
interface Held {
  /** Cost that is set aside for it. */
  readonly nanoUsd: number;
  readonly longTokens: number;
  readonly outputTokensMax: number | undefined;
}

/** No wave is cut below this for want of time: it was let start. */
const WAVE_MIN_MS = 5_000;
/** Prompts are longer by so much than estimated, at the most. */
const PROMPT_MARGIN = 4 / 3;
const NO_COST = 'more could cost more than maxCostUsd';
const NO_TIME = 'more is likely to take longer than maxSeconds';

/** Budget of a run: spent, next calls and the answer must fit the caps. Refusals are words for people. */
export class RunBudget implements Budget {
  /** Refusal of the first wave that was not let begin: the run goes straight to its answer. */
  refusal: string | undefined;
  readonly #facts: BudgetFacts;
  readonly #limits: RunLimits;
  readonly #isLimited: boolean;
  /** Made where a limit asks for it: texts of any length are read for it. */
  readonly #estimate: () => ReturnType<typeof estimator>;
  readonly #messageTokens: () => number;
  readonly #held = new Map<string, Held>();
  #wavesBegun = 0;
  /** Tokens written beyond long replies: the answer's author has to read them. */
  #excessTokens = 0;

  constructor(facts: BudgetFacts) {
    const { request, atMs } = facts;
    this.#facts = facts;
    this.#limits = request.limits ?? {};
    this.#isLimited = Object.values(this.#limits).some((limit) => limit !== undefined);
    this.#estimate = lazy(() => estimator(request, atMs));
    this.#messageTokens = lazy(() => estimateTokens(request.message));
  }

  /** Refusal of a round with all that comes after it; of round 0, which the run cannot do without, with its answer. */
  roundFlaw(round: number): string | undefined {
    if (!this.#isLimited) return undefined;
    const { waves, answer, closing } = this.#facts.calls();
    const played = waves.filter((wave) => wave.round === round);
    if (played.length === 0) return undefined;
    return this.flaw([...played, ...(round === 0 ? [answer] : closing)]);
  }

  /** Refusal of waves that are to be all that the run still plays: what was spent, and all that is ahead, fits. */
  flaw(waves: readonly Wave[]): string | undefined {
    return this.#flaw(this.#longNanoUsd(waves), estimateMs(waves, this.#facts.paces));
  }

  /** Lets calls begin side by side, unless they are refused. Those it has let begin are not looked at again. */
  admit(calls: readonly WrittenCall[], answerPlace: AnswerPlace = 'after'): string | undefined {
    const fresh = calls.filter(({ callId }) => !this.#held.has(callId));
    if (fresh.length === 0 || !this.#isLimited) return undefined;
    const ceilings = fresh.map((call) => this.#ceilingOf(call));
    const waveNanoUsd = ceilings.reduce((sum, { nanoUsd, longTokens }) => sum + nanoUsd(longTokens), 0);
    const waveMs = Math.max(...fresh.map(({ seat }) => callMs(seat.model, this.#facts.paces)));
    const [answerNanoUsd, answerMs] = answerPlace === 'before' ? [0, 0] : [this.#answerNanoUsd(), this.#answerMs()];
    const ms = answerPlace === 'beside' ? Math.max(waveMs, answerMs) : waveMs + answerMs;
    const flaw = this.#flaw(waveNanoUsd + answerNanoUsd, ms);
    if (flaw !== undefined) {
      this.refusal = flaw;
      return flaw;
    }
    this.#wavesBegun += 1;
    // Calls after the answer cut nothing else short, and an answer is to be whole.
    if (answerPlace === 'before') return undefined;
    const spareNanoUsd = this.#spareNanoUsd(waveNanoUsd) / fresh.length;
    for (const ceiling of ceilings) this.#held.set(ceiling.callId, this.#heldFor(ceiling, spareNanoUsd));
    return undefined;
  }

  /** Most tokens that a call which was let begin may write; undefined: as many as it likes. */
  outputTokensMax(callId: string): number | undefined {
    return this.#held.get(callId)?.outputTokensMax;
  }

  /** True where a call under way may be made once more, what it has consumed so far notwithstanding. */
  mayAskAgain(): boolean {
    const { maxCostNanoUsd = Infinity } = this.#limits;
    return maxCostNanoUsd === Infinity || this.#spentAndHeldNanoUsd() + this.#answerNanoUsd() <= maxCostNanoUsd;
  }

  /** Ends a call, with its text if it has one. */
  ended(callId: string, text = ''): void {
    const held = this.#held.get(callId);
    if (!held) return;
    this.#held.delete(callId);
    this.#excessTokens += Math.max(0, estimateTokens(text) - held.longTokens);
  }

  /** Longest time of a wave that starts now. */
  waveMs(): number {
    if (this.#limits.maxMs === undefined) return Infinity;
    return Math.max(WAVE_MIN_MS, this.#limits.maxMs - this.#facts.elapsedMs() - this.#answerMs());
  }

  #flaw(aheadNanoUsd: number, aheadMs: number): string | undefined {
    const { maxCostNanoUsd = Infinity, maxMs = Infinity } = this.#limits;
    if (this.#spentAndHeldNanoUsd() + aheadNanoUsd > maxCostNanoUsd) return NO_COST;
    return this.#facts.elapsedMs() + aheadMs > maxMs ? NO_TIME : undefined;
  }

  /** Cost of one call whose prompt is known, by what it writes. */
  #ceilingOf({ callId, seat, purpose, prompt, outputSchema }: WrittenCall) {
    const { model } = seat;
    const written = Math.ceil(PROMPT_MARGIN * estimatePromptTokens(prompt, outputSchema?.schema));
    // A prompt that is to be kept in a provider's cache may cost more to write than to send.
    const cacheWritePromptTokens = isMarked(prompt) ? written : 0;
    const shown = { ...withSearches(written, prompt.webSearch && SEARCHES.long), cacheWritePromptTokens };
    const maxTokens = model.maxOutputTokens ?? longReplyTokens(model);
    const longTokens = Math.ceil(replyTokens(seat, purpose, { messageTokens: this.#messageTokens(), length: 'long' }));
    return {
      callId,
      /** Most tokens that its provider is asked for, and those of a long reply. */
      maxTokens,
      longTokens: Math.min(maxTokens, longTokens),
      nanoUsd: (completionTokens: number) =>
        priceCall(model, { ...shown, completionTokens }, this.#facts.atMs).costNanoUsd,
    };
  }

  /** A call may write more than is usual with its share of what nothing else needs; the answer's author has to read it. */
  #heldFor({ longTokens, maxTokens, nanoUsd }: Ceiling, spareNanoUsd: number): Held {
    const tokenNanoUsd = (nanoUsd(longTokens + 1_000) - nanoUsd(longTokens)) / 1_000;
    if (this.#limits.maxCostNanoUsd === undefined || tokenNanoUsd === 0) {
      return { nanoUsd: nanoUsd(0), longTokens, outputTokensMax: undefined };
    }
    const spareTokens = Math.floor(spareNanoUsd / (tokenNanoUsd + this.#readingNanoUsd(1_000) / 1_000));
    const outputTokensMax = Math.min(maxTokens, longTokens + spareTokens);
    return { nanoUsd: nanoUsd(outputTokensMax), longTokens, outputTokensMax };
  }

  /** Rest of the limit when everything has been played with long replies. */
  #spareNanoUsd(waveNanoUsd: number): number {
    const { waves, closing } = this.#facts.calls();
    const aheadNanoUsd = this.#longNanoUsd([...waves.slice(this.#wavesBegun), ...closing]);
    const neededNanoUsd = this.#spentAndHeldNanoUsd() + waveNanoUsd + aheadNanoUsd;
    return Math.max(0, (this.#limits.maxCostNanoUsd ?? Infinity) - neededNanoUsd);
  }

  #spentAndHeldNanoUsd(): number {
    return [...this.#held.values()].reduce((sum, { nanoUsd }) => sum + nanoUsd, this.#facts.spentNanoUsd());
  }

  #answerMs(): number {
    return estimateMs([this.#facts.calls().answer], this.#facts.paces);
  }

  #answerNanoUsd(): number {
    return this.#longNanoUsd([this.#facts.calls().answer]);
  }

  /** Cost of waves with long replies, the last of which reads what others have written beyond that. */
  #longNanoUsd(waves: readonly Wave[]): number {
    return this.#estimate()(callsIn(waves), 'long').costNanoUsd + this.#readingNanoUsd(this.#excessTokens);
  }

  /** Cost of so many prompt tokens of the arbiter. */
  #readingNanoUsd(promptTokens: number): number {
    const { request, atMs } = this.#facts;
    return priceCall(request.panel.arbiter.model, { promptTokens, completionTokens: 0 }, atMs).costNanoUsd;
  }
}

/** Bounds of one call. */
interface Ceiling {
  readonly longTokens: number;
  readonly maxTokens: number;
  nanoUsd(completionTokens: number): number;
}
