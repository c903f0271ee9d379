import { longReplyTokens } from '../../ledger/estimate-cost';
import { estimatePromptTokens, estimateTokens } from '../../models/estimate-tokens';
import { priceCall } from '../../models/prices';
import { SEARCHES, withSearches } from '../../models/web-search';
import type { ModelPaces } from '../deadline/model-paces';
import type { EnsembleRequest } from '../run';
import type { PlannedCall, PlannedWave } from './planned-wave';
import { projectionOf } from './projection';
import { replyTokens } from './reply-length';
import { type Allowance, limitsFlaw, type RunLimits, type WrittenCall } from './run-limits';
import { callMs, type RunPlan, wavesMs } from './run-plan';

/** What a budget is reckoned with. */
export interface BudgetFacts {
  readonly request: EnsembleRequest;
  /** Worked out only where the caller allows less than everything. */
  readonly plan: () => RunPlan;
  readonly paces: ModelPaces;
  /** The request's start, whose prices are taken. */
  readonly atMs: number;
  /** What all calls have cost that are over, nano-USD. */
  spentNanoUsd(): number;
  /** Since the request's start. */
  elapsedMs(): number;
}

/** What is needed besides the calls that are to begin. */
interface Ahead {
  readonly nanoUsd: number;
  readonly afterMs?: number;
  readonly besideMs?: number;
}

/** A call under way: what is set aside for it, and what it may write. */
interface Held {
  readonly nanoUsd: number;
  readonly outputTokensMax: number | undefined;
}

/** No wave is cut below this for want of time: it was let start. */
const WAVE_MIN_MS = 5_000;

/**
 * Whether a run may go on before it writes its answer: what it has consumed, the calls that are to begin and its answer
 * must fit what its caller allows. Reckoned with long replies, beyond which calls may write only what nothing else
 * needs, as their providers are told: so only the answer, which has no such bound, can pass the limit.
 */
export class RunBudget implements Allowance {
  refusal: string | undefined;
  readonly #facts: BudgetFacts;
  readonly #limits: RunLimits;
  readonly #project: (calls: readonly PlannedCall[]) => number;
  readonly #ceilingOf: (call: WrittenCall) => CallCeiling;
  readonly #held = new Map<string, Held>();
  #wavesBegun = 0;
  /** Written beyond what texts are taken to have: the answer's author has to read it. */
  #excessTokens = 0;

  constructor(facts: BudgetFacts) {
    const { request, atMs } = facts;
    const project = projectionOf(request, atMs);
    this.#facts = facts;
    this.#limits = request.limits ?? {};
    this.#project = (calls) => project(calls).high;
    this.#ceilingOf = ceilingOf(request, atMs);
  }

  startFlaw(): string | undefined {
    if (!this.#isLimited()) return undefined;
    const { waves, answer } = this.#facts.plan();
    return this.#plannedFlaw([...waves.filter(({ round }) => round === 0), answer]);
  }

  roundFlaw(round: number): string | undefined {
    if (!this.#isLimited()) return undefined;
    const { waves, closing } = this.#facts.plan();
    const played = waves.filter((wave) => wave.round === round);
    return played.length === 0 ? undefined : this.#plannedFlaw([...played, ...closing]);
  }

  admit(calls: readonly WrittenCall[]): string | undefined {
    return this.#admitted(calls, () => ({ nanoUsd: this.#answerNanoUsd(), afterMs: this.#answerMs() }));
  }

  admitBeside(call: WrittenCall): string | undefined {
    return this.#admitted([call], () => ({ nanoUsd: this.#answerNanoUsd(), besideMs: this.#answerMs() }));
  }

  admitLast(call: WrittenCall): string | undefined {
    const flaw = this.#admitted([call], () => ({ nanoUsd: 0 }));
    // Nothing else is cut short by it, and an answer is to be whole.
    this.#held.delete(call.callId);
    return flaw;
  }

  outputTokensMax(callId: string): number | undefined {
    return this.#held.get(callId)?.outputTokensMax;
  }

  mayAskAgain(): boolean {
    const { maxCostNanoUsd = Infinity } = this.#limits;
    return this.#boundNanoUsd() + this.#answerNanoUsd() <= maxCostNanoUsd;
  }

  ended(call: WrittenCall, text = ''): void {
    if (!this.#held.delete(call.callId)) return;
    const tokens = estimateTokens(text);
    this.#excessTokens += Math.max(0, tokens - this.#ceilingOf(call).longTokens);
  }

  waveMs(): number {
    const { elapsedMs } = this.#facts;
    if (this.#limits.maxMs === undefined) return Infinity;
    return Math.max(WAVE_MIN_MS, this.#limits.maxMs - elapsedMs() - this.#answerMs());
  }

  #plannedFlaw(ahead: readonly PlannedWave[]): string | undefined {
    const { paces, elapsedMs } = this.#facts;
    const aheadNanoUsd = this.#project(ahead.flatMap(({ calls }) => calls)) + this.#excessNanoUsd();
    const costNanoUsd = this.#boundNanoUsd() + aheadNanoUsd;
    return limitsFlaw(this.#limits, { costNanoUsd, ms: elapsedMs() + wavesMs(ahead, paces) });
  }

  /** What is ahead is worked out only where there are limits: prices are looked up for it. */
  #admitted(calls: readonly WrittenCall[], ahead: () => Ahead): string | undefined {
    const fresh = calls.filter(({ callId }) => !this.#held.has(callId));
    if (fresh.length === 0 || !this.#isLimited()) return undefined;
    const { nanoUsd: aheadNanoUsd, afterMs = 0, besideMs = 0 } = ahead();
    const { paces, elapsedMs } = this.#facts;
    const ceilings = fresh.map((call) => ({ callId: call.callId, ...this.#ceilingOf(call) }));
    const longNanoUsd = ceilings.reduce((sum, { nanoUsd, longTokens }) => sum + nanoUsd(longTokens), 0);
    const ms = Math.max(besideMs, ...fresh.map(({ seat }) => callMs(seat, paces))) + afterMs;
    const costNanoUsd = this.#boundNanoUsd() + longNanoUsd + aheadNanoUsd;
    const flaw = limitsFlaw(this.#limits, { costNanoUsd, ms: elapsedMs() + ms });
    if (flaw !== undefined) {
      this.refusal = flaw;
      return flaw;
    }
    this.#wavesBegun += 1;
    const spareNanoUsd = this.#spareNanoUsd(longNanoUsd) / fresh.length;
    for (const { callId, ...ceiling } of ceilings) this.#held.set(callId, this.#heldFor(ceiling, spareNanoUsd));
    return undefined;
  }

  /** A call may write more than is usual with its share of what nothing else needs; the answer's author has to read it. */
  #heldFor({ longTokens, maxTokens, nanoUsd }: CallCeiling, spareNanoUsd: number): Held {
    if (this.#limits.maxCostNanoUsd === undefined) return { nanoUsd: 0, outputTokensMax: undefined };
    const tokenNanoUsd = (nanoUsd(longTokens + 1_000) - nanoUsd(longTokens)) / 1_000;
    if (tokenNanoUsd === 0) return { nanoUsd: nanoUsd(0), outputTokensMax: undefined };
    const spareTokens = Math.floor(spareNanoUsd / (tokenNanoUsd + this.#readingNanoUsd(1_000) / 1_000));
    const outputTokensMax = Math.min(maxTokens, longTokens + spareTokens);
    return { nanoUsd: nanoUsd(outputTokensMax), outputTokensMax };
  }

  /** What is left when everything that is planned has been played with long replies. */
  #spareNanoUsd(waveNanoUsd: number): number {
    const plan = this.#facts.plan();
    const ahead = [...plan.waves.slice(this.#wavesBegun), ...plan.closing].flatMap(({ calls }) => calls);
    const neededNanoUsd = this.#boundNanoUsd() + waveNanoUsd + this.#project(ahead) + this.#excessNanoUsd();
    return Math.max(0, (this.#limits.maxCostNanoUsd ?? Infinity) - neededNanoUsd);
  }

  #isLimited(): boolean {
    return this.#limits.maxCostNanoUsd !== undefined || this.#limits.maxMs !== undefined;
  }

  /** What was spent, with what is set aside for calls under way. */
  #boundNanoUsd(): number {
    return [...this.#held.values()].reduce((sum, { nanoUsd }) => sum + nanoUsd, this.#facts.spentNanoUsd());
  }

  #answerMs(): number {
    return wavesMs([this.#facts.plan().answer], this.#facts.paces);
  }

  #answerNanoUsd(): number {
    return this.#project(this.#facts.plan().answer.calls) + this.#excessNanoUsd();
  }

  #excessNanoUsd(): number {
    return this.#readingNanoUsd(this.#excessTokens);
  }

  /** What the arbiter pays to read so many tokens. */
  #readingNanoUsd(promptTokens: number): number {
    const { request, atMs } = this.#facts;
    return priceCall(request.panel.arbiter.model, { promptTokens, completionTokens: 0 }, atMs).costNanoUsd;
  }
}

/** What one call may come to, its prompt being known. */
interface CallCeiling {
  /** What it writes at most when it writes much. */
  readonly longTokens: number;
  /** Its provider is asked for no more than this. */
  readonly maxTokens: number;
  /** What it costs when it writes so much. */
  nanoUsd(outputTokens: number): number;
}

/** Our estimates are a quarter below what providers count at the most. */
const PROMPT_MARGIN = 4 / 3;

/** The ceilings of the calls of one request, at the prices of `atMs`. A model without a known price has cost 0. */
function ceilingOf({ message }: EnsembleRequest, atMs: number): (call: WrittenCall) => CallCeiling {
  const messageTokens = estimateTokens(message);
  return ({ seat, purpose, prompt, outputSchema }) => {
    const { model } = seat;
    const written = Math.ceil(PROMPT_MARGIN * estimatePromptTokens(prompt, outputSchema?.schema));
    const searched = withSearches(written, prompt.webSearch && SEARCHES.long);
    // What is to be kept in a provider's cache may cost more to write than to send.
    const cacheWritePromptTokens = prompt.repeatedCharacters === undefined ? 0 : written;
    const shown = { ...searched, cacheWritePromptTokens };
    // More than it can write must not be asked for.
    const maxTokens = model.maxOutputTokens ?? longReplyTokens(model);
    return {
      maxTokens,
      longTokens: Math.min(maxTokens, Math.ceil(replyTokens(seat, purpose, messageTokens).long)),
      nanoUsd: (completionTokens) => priceCall(model, { ...shown, completionTokens }, atMs).costNanoUsd,
    };
  };
}
