import type { Wave } from '../../ensemble/estimate/calls';
import type { Estimate, RunEstimate } from '../../ensemble/estimate/estimate-run';
import { unlessEmpty, usd } from './reply-parts';

/** A run's estimate as replies show it (`docs/api.md`, Plans). */
export function planBody(estimate: RunEstimate): object {
  const { strategy, waves, leftOut, models, durationMs, unpricedModels } = estimate;
  return {
    strategy,
    waves: waves.map(waveBody),
    leftOut: unlessEmpty(leftOut),
    models: models.map(({ modelId, calls, ...share }) => ({ modelId, calls, ...rangesOf(share) })),
    calls: callsIn(waves),
    ...rangesOf(estimate),
    seconds: durationMs / 1_000,
    unpricedModels: unlessEmpty(unpricedModels),
  };
}

/** The same in one sentence, where replies have their answer. */
export function planSentence({ waves, low, high, durationMs }: RunEstimate): string {
  const cost = `$${usd(low.costNanoUsd).toFixed(4)} to $${usd(high.costNanoUsd).toFixed(4)}`;
  const seconds = Math.round(durationMs / 1_000);
  return `Nothing was called. This request makes at most ${callsIn(waves)} calls in ${waves.length} waves, costs about ${cost} and takes about ${seconds} seconds.`;
}

function callsIn(waves: readonly Wave[]): number {
  return waves.reduce((sum, { calls }) => sum + calls.length, 0);
}

function waveBody({ round, calls }: Wave): object {
  const shown = calls.map(({ seat, purpose }) => ({ modelId: seat.model.id, purpose }));
  return { ...(round > 0 && { round }), calls: shown };
}

function rangesOf({ low, high }: Estimate): object {
  return {
    promptTokens: { low: low.promptTokens, high: high.promptTokens },
    completionTokens: { low: low.completionTokens, high: high.completionTokens },
    costUsd: { low: usd(low.costNanoUsd), high: usd(high.costNanoUsd) },
  };
}
