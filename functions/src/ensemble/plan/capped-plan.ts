import type { ModelPaces } from '../deadline/model-paces';
import type { EnsembleRequest } from '../run';
import { usualCostOf } from './forecast';
import type { PlannedWave } from './planned-wave';
import { projectionOf } from './projection';
import { limitsFlaw } from './run-limits';
import { type RunPlan, wavesMs } from './run-plan';

/** What is known when a plan is made. */
export interface PlanFacts {
  readonly paces: ModelPaces;
  /** Whose prices are taken. */
  readonly atMs: number;
}

/** What caps leave of a plan when replies are of usual length. */
export interface CappedPlan {
  readonly waves: readonly PlannedWave[];
  /** What is left out, and why, in the words that the run would use; empty when everything is played. */
  readonly leftOut: readonly string[];
  /** Why not even the waves fit that the run cannot do without. */
  readonly startFlaw?: string | undefined;
}

/** Goes through a plan as the run would, and leaves out what its caller's caps would not let begin. */
export function cappedPlan(request: EnsembleRequest, plan: RunPlan, { paces, atMs }: PlanFacts): CappedPlan {
  const usual = usualCostOf(request, atMs);
  const long = projectionOf(request, atMs);
  const played: PlannedWave[] = [];
  const leftOut: string[] = [];
  const callsIn = (waves: readonly PlannedWave[]) => waves.flatMap(({ calls }) => calls);
  const flawOf = (ahead: readonly PlannedWave[]): string | undefined =>
    limitsFlaw(request.limits ?? {}, {
      costNanoUsd: usual(callsIn(played)) + long(callsIn(ahead)).high,
      ms: wavesMs([...played, ...ahead], paces),
    });
  /** Plays waves unless they do not fit together with what is to come. */
  const play = (waves: readonly PlannedWave[], ahead: readonly PlannedWave[], what: string): boolean => {
    const flaw = waves.length === 0 ? undefined : flawOf([...waves, ...ahead]);
    if (flaw === undefined) played.push(...waves);
    else leftOut.push(`${what}: ${flaw}`);
    return flaw === undefined;
  };

  const needed = plan.waves.filter(({ round }) => round === 0);
  const startFlaw = flawOf([...needed, plan.answer]);
  if (startFlaw !== undefined) return { waves: [], leftOut, startFlaw };
  played.push(...needed);
  const rounds = Map.groupBy(
    plan.waves.filter(({ round }) => round > 0),
    ({ round }) => round,
  );
  for (const [round, waves] of rounds) {
    if (!play(waves, plan.closing, `Stopped after round ${round - 1} of ${request.rounds}`)) break;
  }
  play(plan.reading, [plan.answer], plan.judges ? 'No verdict' : 'No comparison of the answers');
  const last = { round: 0, calls: [...plan.answer.calls, ...plan.followUps] };
  if (plan.followUps.length === 0 || !play([last], [], 'No follow-up prompts')) played.push(plan.answer);
  play(plan.repair, [], 'No second try of an answer that fails its checks');
  return { waves: played, leftOut };
}
