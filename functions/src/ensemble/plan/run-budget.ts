import type { ModelPaces } from '../deadline/model-paces';
import type { PlannedWave } from './planned-wave';
import type { Projection } from './projection';
import type { Allowance, RunLimits } from './run-limits';
import { type RunPlan, wavesMs } from './run-plan';

/** What a budget is reckoned with. */
export interface BudgetFacts {
  readonly limits: RunLimits;
  readonly plan: RunPlan;
  readonly paces: ModelPaces;
  /** What these calls are likely to consume. */
  readonly project: (calls: PlannedWave['calls']) => Projection;
  /** What was consumed so far, nano-USD. */
  spentNanoUsd(): number;
  /** Since the request's start. */
  elapsedMs(): number;
}

/** No wave is cut below this for want of time: it was let start. */
const WAVE_MIN_MS = 5_000;

/**
 * Whether a run may go on before it writes its answer: what it has consumed, what comes next and the arbiter's own calls
 * must fit what its caller allows. Reckoned with long replies: only calls that go beyond them can pass the limit.
 */
export class RunBudget implements Allowance {
  readonly #facts: BudgetFacts;

  constructor(facts: BudgetFacts) {
    this.#facts = facts;
  }

  startFlaw(): string | undefined {
    // Calls that are listed already and not made yet must not count twice.
    return this.#flawOf(
      this.#facts.plan.waves.filter(({ round }) => round === 0),
      0,
    );
  }

  roundFlaw(round: number): string | undefined {
    const waves = this.#facts.plan.waves.filter((wave) => wave.round === round);
    return waves.length === 0 ? undefined : this.#flawOf(waves, this.#facts.spentNanoUsd());
  }

  readingFlaw(): string | undefined {
    return this.#flawOf([], this.#facts.spentNanoUsd());
  }

  waveMs(): number {
    const { limits, elapsedMs, plan, paces } = this.#facts;
    if (limits.maxMs === undefined) return Infinity;
    return Math.max(WAVE_MIN_MS, limits.maxMs - elapsedMs() - wavesMs(plan.closing, paces));
  }

  #flawOf(waves: readonly PlannedWave[], spentNanoUsd: number): string | undefined {
    const { limits, plan, paces, project, elapsedMs } = this.#facts;
    if (limits.maxCostNanoUsd === undefined && limits.maxMs === undefined) return undefined;
    const ahead = [...waves, ...plan.closing];
    const { maxCostNanoUsd = Infinity, maxMs = Infinity } = limits;
    const costNanoUsd = project(ahead.flatMap(({ calls }) => calls)).costNanoUsd.high;
    if (spentNanoUsd + costNanoUsd > maxCostNanoUsd) return 'more could cost more than maxCostUsd';
    if (elapsedMs() + wavesMs(ahead, paces) > maxMs) return 'more is likely to take longer than maxSeconds';
    return undefined;
  }
}
