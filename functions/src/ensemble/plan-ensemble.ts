import { ratesOf } from '../models/prices';
import { arbiterAlone } from './arbiter-alone';
import { cappedPlan, type PlanFacts } from './plan/capped-plan';
import { type Forecast, forecastOf } from './plan/forecast';
import type { PlannedCall, PlannedWave } from './plan/planned-wave';
import { runPlan, wavesMs } from './plan/run-plan';
import type { EnsembleRequest } from './run';
import { strategyFor, strategyName } from './strategies/strategies';

/** What a request would call, without calling anything: an upper bound, as rounds may end early. */
export interface EnsemblePlan extends Forecast {
  /** A strategy's name, or `pass_through`. */
  readonly strategy: string;
  /** One after the other, the arbiter's last. */
  readonly waves: readonly PlannedWave[];
  /** What the caller's caps leave out, in words for people. */
  readonly leftOut: readonly string[];
  /** In order of their first call. */
  readonly models: readonly ModelPlan[];
  /** When every wave is played. */
  readonly durationMs: number;
  /** Ids of the models whose calls are taken to cost nothing, as no price is known. */
  readonly unpricedModels: readonly string[];
}

/** One model's share of a plan. */
export interface ModelPlan extends Forecast {
  readonly modelId: string;
  readonly calls: number;
}

/**
 * Plans a request as `openEnsemble` would play it, with what its caps leave of it. The low end of tokens and cost is a run
 * that ends as early as it may, with short texts; the high end plays every round, with long ones.
 */
export function planEnsemble(request: EnsembleRequest, facts: PlanFacts): EnsemblePlan {
  const { paces, atMs } = facts;
  const strategy = strategyFor(request);
  const plan = runPlan(request, strategy.plan(request), atMs);
  const capped = cappedPlan(request, plan, facts);
  if (capped.startFlaw !== undefined) return planAlone(request, capped.startFlaw, facts);
  const calls = capped.waves.flatMap((wave) => wave.calls);
  const made = new Set(calls);
  const forecast = forecastOf(request, atMs);
  const forecastWhere = (isIn: (call: PlannedCall) => boolean): Forecast =>
    forecast(
      plan.least.filter((call) => made.has(call) && isIn(call)),
      calls.filter(isIn),
    );
  const byModel = Map.groupBy(calls, ({ seat }) => seat.model.id);
  const models = [...byModel].map(([modelId, own]) => ({
    modelId,
    calls: own.length,
    ...forecastWhere(({ seat }) => seat.model.id === modelId),
  }));
  const rows = [...byModel.values()].flatMap(([first]) => (first ? [first.seat.model] : []));
  return {
    strategy: strategyName(strategy),
    waves: capped.waves,
    leftOut: capped.leftOut,
    models,
    ...withinCap(
      forecastWhere(() => true),
      request,
    ),
    durationMs: wavesMs(capped.waves, paces),
    unpricedModels: rows.filter((model) => ratesOf(model, atMs) === null).map(({ id }) => id),
  };
}

/** The arbiter's answer alone, which caps never leave out. */
function planAlone(request: EnsembleRequest, flaw: string, facts: PlanFacts): EnsemblePlan {
  const { limits: _limits, ...alone } = arbiterAlone(request, flaw);
  return { ...planEnsemble(alone, facts), leftOut: alone.degraded?.slice(-1) ?? [] };
}

/** A run ends before it passes its cap, but for its answer. */
function withinCap({ costNanoUsd, ...rest }: Forecast, { limits = {} }: EnsembleRequest): Forecast {
  const { maxCostNanoUsd = Infinity } = limits;
  const high = Math.max(costNanoUsd.low, Math.min(costNanoUsd.high, maxCostNanoUsd));
  return { ...rest, costNanoUsd: { ...costNanoUsd, high } };
}
