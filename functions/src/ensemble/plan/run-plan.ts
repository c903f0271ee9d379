import { type ModelRow, thinksFirst } from '../../models/catalog';
import type { ModelPaces } from '../deadline/model-paces';
import { cheapestFirst } from '../panel/cheapest-first';
import type { EnsembleRequest } from '../run';
import { callsOf, type PlannedCall, type PlannedWave, type StrategyPlan } from './planned-wave';

/** All calls of a run when nothing stops it early. */
export interface RunPlan {
  /** The strategy's. */
  readonly waves: readonly PlannedWave[];
  /** The arbiter's: what it reads before it writes, then the answer with what is asked beside it. */
  readonly closing: readonly PlannedWave[];
}

/** The calls of a request, those of its strategy followed by the arbiter's. `atMs`: whose prices are compared. */
export function runPlan(request: EnsembleRequest, plan: StrategyPlan, atMs: number): RunPlan {
  const { panel, includeExplanation, includeFollowUps } = request;
  const { waves, material, verdicts = 0 } = plan;
  const readings = verdicts > 0 ? verdicts : Number(includeExplanation && material > 0);
  const reading = Array.from({ length: readings }, () => callsOf([panel.arbiter], 'analyse', material)).flat();
  const answer = callsOf([panel.arbiter], 'answer', material);
  const [cheapest = panel.arbiter] = cheapestFirst([panel.arbiter, ...panel.participants], atMs);
  const followUps = includeFollowUps ? callsOf([cheapest], 'follow_ups', Math.min(1, material)) : [];
  const closing = [reading, [...answer, ...followUps]].filter((calls) => calls.length > 0);
  return { waves, closing: closing.map((calls) => ({ round: 0, calls })) };
}

/** What a text is taken to need of a model whose pace is not known; of one that thinks. */
const TEXT_MS = 20_000;
const THINKING_TEXT_MS = 60_000;

/** How long waves are likely to take, one after the other: each as long as the slowest of its models. */
export function wavesMs(waves: readonly PlannedWave[], paces: ModelPaces): number {
  const callMs = ({ seat: { model } }: PlannedCall): number => paces.p95Ms(model.id) ?? usualMs(model);
  return waves.reduce((sum, { calls }) => sum + Math.max(0, ...calls.map(callMs)), 0);
}

function usualMs(model: ModelRow): number {
  return thinksFirst(model) ? THINKING_TEXT_MS : TEXT_MS;
}
