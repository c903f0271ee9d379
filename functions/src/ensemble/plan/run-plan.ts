import { type ModelRow, thinksFirst } from '../../models/catalog';
import type { ModelPaces } from '../deadline/model-paces';
import { cheapestFirst } from '../panel/cheapest-first';
import type { Panel, Seat } from '../panel/panel';
import type { EnsembleRequest } from '../run';
import { callsOf, type PlannedCall, type PlannedWave, type StrategyPlan } from './planned-wave';

/** All calls of a run when nothing stops it early. */
export interface RunPlan {
  /** The strategy's. */
  readonly waves: readonly PlannedWave[];
  /** The arbiter's: what it reads before it writes, then the answer with what is asked beside it. */
  readonly closing: readonly PlannedWave[];
  /** Of those its reading, if there is one, … */
  readonly reading: readonly PlannedWave[];
  /** … which is a verdict where it is asked for whether or not an explanation is; */
  readonly judges: boolean;
  /** … the answer alone … */
  readonly answer: PlannedWave;
  /** … and what is asked beside it. */
  readonly followUps: readonly PlannedCall[];
  /** … and once more, where it fails its checks. */
  readonly repair: readonly PlannedWave[];
  /** What is called in any case. */
  readonly least: readonly PlannedCall[];
}

/** The calls of a request, those of its strategy followed by the arbiter's. `atMs`: whose prices are compared. */
export function runPlan(request: EnsembleRequest, plan: StrategyPlan, atMs: number): RunPlan {
  const { panel, includeExplanation, includeFollowUps } = request;
  const { waves, material, verdicts = 0, least = {} } = plan;
  const readings = verdicts > 0 ? verdicts : Number(includeExplanation && material > 0);
  const reading = Array.from({ length: readings }, () => callsOf([panel.arbiter], 'analyse', material)).flat();
  const answer = { round: 0, calls: callsOf([panel.arbiter], 'answer', material) };
  // It reads its own answer once more.
  const repairs = request.checks?.repairs ? callsOf([panel.arbiter], 'answer', material + 1) : [];
  const repair = repairs.length > 0 ? [{ round: 0, calls: repairs }] : [];
  const followUps = includeFollowUps ? callsOf([cheapestOf(panel, atMs)], 'follow_ups', Math.min(1, material)) : [];
  const readingWaves = reading.length > 0 ? [{ round: 0, calls: reading }] : [];
  const certain = waves.slice(0, least.waves ?? wavesToFirstRound(waves));
  return {
    waves,
    closing: [...readingWaves, { round: 0, calls: [...answer.calls, ...followUps] }, ...repair],
    reading: readingWaves,
    judges: verdicts > 0,
    answer,
    followUps,
    repair,
    least: [
      ...certain.flatMap(({ calls }) => calls),
      ...(least.unread || least.unwritten ? [] : reading),
      ...(least.unwritten ? [] : answer.calls),
      ...followUps,
    ],
  };
}

function cheapestOf({ arbiter, participants }: Panel, atMs: number): Seat {
  const [cheapest = arbiter] = cheapestFirst([arbiter, ...participants], atMs);
  return cheapest;
}

/** How many waves there are up to the first that can be left out, that one included: models agree in it at the earliest. */
function wavesToFirstRound(waves: readonly PlannedWave[]): number {
  const first = waves.findIndex(({ round }) => round > 0);
  return first < 0 ? waves.length : first + 1;
}

/** What a text is taken to need of a model whose pace is not known; of one that thinks. */
const TEXT_MS = 20_000;
const THINKING_TEXT_MS = 60_000;

/** How long waves are likely to take, one after the other: each as long as the slowest of its models. */
export function wavesMs(waves: readonly PlannedWave[], paces: ModelPaces): number {
  return waves.reduce((sum, { calls }) => sum + Math.max(0, ...calls.map(({ seat }) => callMs(seat, paces))), 0);
}

/** How long a call at this seat is likely to take. */
export function callMs({ model }: Seat, paces: ModelPaces): number {
  return paces.p95Ms(model.id) ?? usualMs(model);
}

function usualMs(model: ModelRow): number {
  return thinksFirst(model) ? THINKING_TEXT_MS : TEXT_MS;
}
