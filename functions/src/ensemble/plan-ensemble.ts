import { ratesOf } from '../models/prices';
import type { ModelPaces } from './deadline/model-paces';
import type { PlannedWave } from './plan/planned-wave';
import { type Projection, projectionOf } from './plan/projection';
import { runPlan, wavesMs } from './plan/run-plan';
import type { EnsembleRequest } from './run';
import { strategyName } from './strategies/strategies';
import { strategyFor } from './strategies/strategy-for';

/** What a request would call, without calling anything: an upper bound, as rounds may end early. */
export interface EnsemblePlan extends Projection {
  /** A strategy's name, or `pass_through`. */
  readonly strategy: string;
  /** One after the other, the arbiter's last. */
  readonly waves: readonly PlannedWave[];
  /** In order of their first call. */
  readonly models: readonly ModelPlan[];
  /** When every wave is played. */
  readonly durationMs: number;
  /** Ids of the models whose calls are taken to cost nothing, as no price is known. */
  readonly unpricedModels: readonly string[];
}

/** One model's share of a plan. */
export interface ModelPlan extends Projection {
  readonly modelId: string;
  readonly calls: number;
}

/** What is known when a plan is made. */
export interface PlanFacts {
  readonly paces: ModelPaces;
  /** Whose prices are taken. */
  readonly atMs: number;
}

/**
 * Plans a request as `openEnsemble` would play it. The low end of tokens and cost is a run that ends as early as it may,
 * with short texts; the high end plays every round, with long ones.
 */
export function planEnsemble(request: EnsembleRequest, { paces, atMs }: PlanFacts): EnsemblePlan {
  const strategy = strategyFor(request);
  const plan = runPlan(request, strategy.plan(request), atMs);
  const waves = [...plan.waves, ...plan.closing];
  const project = projectionOf(request, atMs);
  const firstRound = Math.min(...plan.waves.map(({ round }) => round).filter((round) => round > 0));
  const shortest = waves.filter(({ round }) => round === 0 || round === firstRound);
  const rangeOver = (isIn: (call: PlannedWave['calls'][number]) => boolean): Projection => {
    const callsIn = (some: readonly PlannedWave[]) => some.flatMap(({ calls }) => calls).filter(isIn);
    return between(project(callsIn(shortest)), project(callsIn(waves)));
  };
  const byModel = Map.groupBy(
    waves.flatMap(({ calls }) => calls),
    ({ seat }) => seat.model.id,
  );
  const models = [...byModel].map(([modelId, calls]) => ({
    modelId,
    calls: calls.length,
    ...rangeOver(({ seat }) => seat.model.id === modelId),
  }));
  const rows = [...byModel.values()].flatMap(([first]) => (first ? [first.seat.model] : []));
  return {
    strategy: strategyName(strategy),
    waves,
    models,
    ...rangeOver(() => true),
    durationMs: wavesMs(waves, paces),
    unpricedModels: rows.filter((model) => ratesOf(model, atMs) === null).map(({ id }) => id),
  };
}

function between(least: Projection, most: Projection): Projection {
  return {
    promptTokens: { low: least.promptTokens.low, high: most.promptTokens.high },
    completionTokens: { low: least.completionTokens.low, high: most.completionTokens.high },
    costNanoUsd: { low: least.costNanoUsd.low, high: most.costNanoUsd.high },
  };
}
