import * as z from 'zod';
import type { Wave } from '../../ensemble/estimate/calls';
import type { Estimate, RunEstimate } from '../../ensemble/estimate/estimate-run';
import { amount, count, list, named, type Sent, text, texts } from '../../lib/reply-schemas';
import { usd } from '../../lib/usd';

const Forecast = named('Forecast', () => z.object({ low: amount('At least.'), high: amount('At most.') }));
const forecast = () => ({
  promptTokens: Forecast.describe('Tokens of prompts, at least and at most.'),
  completionTokens: Forecast.describe('Tokens of replies, at least and at most.'),
  costUsd: Forecast.describe('US dollars, at least and at most.'),
});
const call = () => z.object({ modelId: text('The model that is asked.'), purpose: text('Purpose of the call.') });
const wave = () =>
  z.object({
    round: count('Where the wave may be left out when the models agree early.').optional(),
    calls: list(call(), 'Side by side.'),
  });
const model = () => z.object({ modelId: text('A model.'), calls: count('Calls to it.'), ...forecast() });

/** A plan as replies show it (`docs/api.md`, Caps and plans). */
export const Plan = named(
  'Plan',
  () =>
    z.object({
      strategy: text('Its name, `pass_through` for one call to one model, or `agent` for an ensemble with tools.'),
      waves: list(wave(), 'In order.'),
      leftOut: texts('What the caps leave out.').optional(),
      models: list(model(), 'By model.'),
      calls: count('Of all models.'),
      ...forecast(),
      seconds: amount('When every wave is played.'),
      unpricedModels: texts('Ids of models that have no known price.').optional(),
    }),
  'What a run would do, in a reply to `dryRun`.',
);

export function planBody(estimate: RunEstimate): Sent<typeof Plan> {
  const { strategy, waves, leftOut, models, durationMs, unpricedModels } = estimate;
  return {
    strategy,
    waves: waves.map(({ round, calls }) => ({
      round: round > 0 ? round : undefined,
      calls: calls.map(({ seat, purpose }) => ({ modelId: seat.model.id, purpose })),
    })),
    leftOut: unlessEmpty(leftOut),
    models: models.map(({ modelId, calls, ...part }) => ({ modelId, calls, ...rangesOf(part) })),
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

/** A list for a reply that leaves out empty ones: JSON has no field where the value is undefined. */
export function unlessEmpty<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length > 0 ? values : undefined;
}

function callsIn(waves: readonly Wave[]): number {
  return waves.reduce((sum, { calls }) => sum + calls.length, 0);
}

function rangesOf({ low, high }: Estimate) {
  return {
    promptTokens: { low: low.promptTokens, high: high.promptTokens },
    completionTokens: { low: low.completionTokens, high: high.completionTokens },
    costUsd: { low: usd(low.costNanoUsd), high: usd(high.costNanoUsd) },
  };
}
