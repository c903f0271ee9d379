import type { RunContext } from '../runs/run-context';
import type { TraceSeat } from '../runs/trace-event';
import type { ModelPaces } from './deadline/model-paces';
import { estimateRun } from './estimate/estimate-run';
import type { Seat } from './panel/panel';
import type { EnsembleRequest } from './run';
import { strategyFor } from './strategies/strategies';

/** Tells a run's observer, if it has one, what is about to be played, and what that may take. */
export function tellBeginning(
  { observer, id, startedAtMs }: RunContext,
  request: EnsembleRequest,
  paces: ModelPaces,
): void {
  if (!observer) return;
  const { panel, rounds } = request;
  const estimate = estimateRun(request, { paces, atMs: startedAtMs });
  observer.tell({
    type: 'run',
    version: 1,
    runId: id,
    startedAtMs,
    strategy: estimate.strategy,
    rounds,
    participants: (strategyFor(request).seats?.(panel) ?? panel.participants).map(traceSeat),
    arbiter: traceSeat(panel.arbiter),
    callsMax: estimate.waves.reduce((sum, { calls }) => sum + calls.length, 0),
    costMaxNanoUsd: estimate.high.costNanoUsd,
    durationMaxMs: estimate.durationMs,
  });
}

function traceSeat({ id: seat, model, label }: Seat): TraceSeat {
  const source = model.provider === 'router' ? 'router' : 'platform';
  return { seat, modelId: model.id, modelName: model.name, label, source };
}
