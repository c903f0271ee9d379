import type { Forecast } from '../../ensemble/plan/forecast';
import type { PlannedWave } from '../../ensemble/plan/planned-wave';
import type { EnsemblePlan } from '../../ensemble/plan-ensemble';
import { unlessEmpty, usd } from './reply-parts';

/** A plan as replies show it (`docs/api.md`, Plans). */
export function planBody({
  strategy,
  waves,
  leftOut,
  models,
  durationMs,
  unpricedModels,
  ...all
}: EnsemblePlan): object {
  return {
    strategy,
    waves: waves.map(waveBody),
    leftOut: unlessEmpty(leftOut),
    models: models.map(({ modelId, calls, ...share }) => ({ modelId, calls, ...forecastBody(share) })),
    calls: callsIn(waves),
    ...forecastBody(all),
    seconds: durationMs / 1_000,
    unpricedModels: unlessEmpty(unpricedModels),
  };
}

/** The same in one sentence, where replies have their answer. */
export function planSentence({ waves, costNanoUsd: { low, high }, durationMs }: EnsemblePlan): string {
  const cost = `$${usd(low).toFixed(4)} to $${usd(high).toFixed(4)}`;
  const seconds = Math.round(durationMs / 1_000);
  return `Nothing was called. This request makes at most ${callsIn(waves)} calls in ${waves.length} waves, costs about ${cost} and takes about ${seconds} seconds.`;
}

function callsIn(waves: readonly PlannedWave[]): number {
  return waves.reduce((sum, { calls }) => sum + calls.length, 0);
}

function waveBody({ round, calls }: PlannedWave): object {
  const shown = calls.map(({ seat, purpose }) => ({ modelId: seat.model.id, purpose }));
  return { ...(round > 0 && { round }), calls: shown };
}

function forecastBody({ promptTokens, completionTokens, costNanoUsd }: Forecast): object {
  const costUsd = { low: usd(costNanoUsd.low), high: usd(costNanoUsd.high) };
  return { promptTokens, completionTokens, costUsd };
}
