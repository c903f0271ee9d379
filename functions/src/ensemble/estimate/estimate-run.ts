import { ratesOf } from '../../models/prices';
import type { ModelPaces } from '../deadline/answer-times';
import type { EnsembleRequest } from '../run';
import { DEFAULT_STRATEGY, strategyFor, strategyName } from '../strategies/strategies';
import { RunBudget } from './budget';
import { callsIn, callsOfRun, type ExpectedCall, type RunCalls, type Wave } from './calls';
import { type Amounts, estimateMs, estimator } from './estimate';

/** Circumstances of an estimate. */
export interface EstimateFacts {
  readonly paces: ModelPaces;
  /** Time whose prices are taken. */
  readonly atMs: number;
}

/** Consumption of calls: `low` for a run that ends as early as it may, with short replies; `high` for all rounds, with long ones. */
export interface Estimate {
  readonly low: Amounts;
  readonly high: Amounts;
}

/** Estimate of one model's calls. */
export interface ModelEstimate extends Estimate {
  readonly modelId: string;
  readonly calls: number;
}

/** Estimate of a run, without calling anything. */
export interface RunEstimate extends Estimate {
  /** A strategy's name, or `pass_through`. */
  readonly strategy: string;
  /** One after the other, the arbiter's last; rounds may end early. */
  readonly waves: readonly Wave[];
  /** Parts that the caller's caps leave out, in words for people. */
  readonly leftOut: readonly string[];
  /** In order of their first call. */
  readonly models: readonly ModelEstimate[];
  /** Milliseconds when every wave is played. */
  readonly durationMs: number;
  /** Ids of the models whose calls are taken to cost nothing, as no price is known. */
  readonly unpricedModels: readonly string[];
}

/** Estimates a request as `openEnsemble` would play it, with what its caps leave of it. */
export function estimateRun(request: EnsembleRequest, facts: EstimateFacts): RunEstimate {
  const { paces, atMs } = facts;
  const strategy = strategyFor(request);
  const planned = callsOfRun(request, strategy.calls(request), atMs);
  const { waves, leftOut, startFlaw } = wavesWithinCaps(request, planned, facts);
  if (startFlaw !== undefined) {
    const { limits: _, ...alone } = arbiterAlone(request, startFlaw);
    return { ...estimateRun(alone, facts), leftOut: alone.degraded?.slice(-1) ?? [] };
  }
  const calls = callsIn(waves);
  // A first draft may be the answer.
  const least = strategy.within
    ? planned.waves.slice(0, 1)
    : [...planned.waves.filter(({ round }) => round === 0), planned.answer];
  const estimate = estimator(request, atMs);
  const estimateWhere = (isIn: (call: ExpectedCall) => boolean): Estimate => ({
    low: estimate(callsIn(least).filter(isIn), 'short'),
    high: estimate(calls.filter(isIn), 'long'),
  });
  const byModel = Map.groupBy(calls, ({ seat }) => seat.model.id);
  const unpriced = calls.filter(({ seat }) => ratesOf(seat.model, atMs) === null);
  const { low, high } = estimateWhere(() => true);
  // A run ends before it passes its cap, but for its answer.
  const maxCostNanoUsd = Math.max(low.costNanoUsd, request.limits?.maxCostNanoUsd ?? Infinity);
  return {
    strategy: strategyName(strategy),
    waves,
    leftOut,
    models: [...byModel].map(([modelId, own]) => ({
      modelId,
      calls: own.length,
      ...estimateWhere(({ seat }) => seat.model.id === modelId),
    })),
    low,
    high: { ...high, costNanoUsd: Math.min(high.costNanoUsd, maxCostNanoUsd) },
    durationMs: estimateMs(waves, paces),
    unpricedModels: [...new Set(unpriced.map(({ seat }) => seat.model.id))],
  };
}

/** Waves that a run's budget lets begin when replies are of usual length, and the parts that it does not. */
function wavesWithinCaps(request: EnsembleRequest, planned: RunCalls, { paces, atMs }: EstimateFacts) {
  const waves: Wave[] = [];
  const leftOut: string[] = [];
  const estimate = estimator(request, atMs);
  const budget = new RunBudget({
    request,
    calls: () => planned,
    paces,
    atMs,
    spentNanoUsd: () => estimate(callsIn(waves), 'usual').costNanoUsd,
    elapsedMs: () => estimateMs(waves, paces),
  });
  /** Adds waves unless they are refused; returns whether they were added. */
  const add = (what: string, flaw: string | undefined, added: readonly Wave[]): boolean => {
    if (flaw === undefined) waves.push(...added);
    else leftOut.push(`${what}: ${flaw}`);
    return flaw === undefined;
  };

  const startFlaw = budget.roundFlaw(0);
  if (startFlaw !== undefined) return { waves, leftOut, startFlaw };
  const { reading, judges, answer, followUps, repair } = planned;
  const { 0: needed = [], ...rounds } = Object.groupBy(planned.waves, ({ round }) => round);
  waves.push(...needed);
  for (const [round, played = []] of Object.entries(rounds)) {
    const what = `Stopped after round ${Number(round) - 1} of ${request.rounds}`;
    if (!add(what, budget.roundFlaw(Number(round)), played)) break;
  }
  add(judges ? 'No verdict' : 'No comparison of the answers', flawOf([...reading, answer], reading), reading);
  const last = { round: 0, calls: [...answer.calls, ...followUps] };
  if (!add('No follow-up prompts', flawOf([last], followUps), [last])) waves.push(answer);
  add('No second try of an answer that fails its checks', flawOf(repair, repair), repair);
  return { waves, leftOut };

  /** Refusal of waves, where there is anything to refuse. */
  function flawOf(ahead: readonly Wave[], refused: readonly unknown[]): string | undefined {
    return refused.length === 0 ? undefined : budget.flaw(ahead);
  }
}

/** The same request as one call to its arbiter, and why. */
export function arbiterAlone(request: EnsembleRequest, flaw: string): EnsembleRequest {
  const { panel, degraded = [], webSearch } = request;
  // What is too dear with a search may be paid without.
  const { webSearch: _search, ...arbiter } = panel.arbiter;
  const asked = webSearch ? 'asked, without web search' : 'asked';
  return {
    ...request,
    strategy: DEFAULT_STRATEGY,
    // Its own seat, and not that of the first participant.
    panel: { participants: [arbiter], arbiter },
    rounds: 1,
    includeExplanation: false,
    includeFollowUps: false,
    degraded: [...degraded, `Only ${panel.arbiter.label} was ${asked}: ${flaw}`],
  };
}
