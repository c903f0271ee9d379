import { type Attributes, metrics } from '@opentelemetry/api';
import { lazy } from '../lib/lazy';

/** Bounds of the buckets, as OpenTelemetry's GenAI conventions have them. */
const DURATION_BOUNDS_S = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKEN_BOUNDS = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** End of a call: `fault` is the gateway's name for what went wrong; tokens only as far as the provider reported them. */
export interface EndedCall {
  readonly fault?: string | undefined;
  readonly cause?: unknown;
  readonly finishReason?: string | undefined;
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  readonly cachedPromptTokens?: number | undefined;
  readonly cacheWritePromptTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  readonly costNanoUsd?: number | undefined;
  readonly durationMs: number;
}

/** Records a model call in OpenTelemetry's GenAI metrics; `asked` says who was asked. */
export function recordCall(asked: Attributes, call: EndedCall): void {
  const { durationMs, promptTokens, completionTokens, fault } = call;
  const { duration, tokens } = instruments();
  duration.record(durationMs / 1000, fault === undefined ? asked : { ...asked, 'error.type': fault });
  if (promptTokens !== undefined) tokens.record(promptTokens, { ...asked, 'gen_ai.token.type': 'input' });
  if (completionTokens !== undefined) tokens.record(completionTokens, { ...asked, 'gen_ai.token.type': 'output' });
}

/** Made with the first call: the SDK is registered when the process starts. */
const instruments = lazy(() => {
  const meter = metrics.getMeter('ensemble-api');
  return {
    duration: meter.createHistogram('gen_ai.client.operation.duration', {
      description: 'GenAI operation duration.',
      unit: 's',
      advice: { explicitBucketBoundaries: DURATION_BOUNDS_S },
    }),
    tokens: meter.createHistogram('gen_ai.client.token.usage', {
      description: 'Number of input and output tokens used.',
      unit: '{token}',
      advice: { explicitBucketBoundaries: TOKEN_BOUNDS },
    }),
  };
});

/** One attempt at a model, as it begins; `model` is the provider's own name for it. */
export interface AskedModel {
  readonly provider: string;
  readonly model: string;
}

/** The names OpenTelemetry's GenAI conventions have for providers; others go by ours. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: 'gcp.gemini' };

export function providerField(provider: string) {
  return { 'gen_ai.provider.name': PROVIDER_NAMES[provider] ?? provider };
}

/** Provider and model of a call, by OpenTelemetry's GenAI names: for spans, metrics and log lines alike. */
export function askedAttributes({ provider, model }: AskedModel): Attributes {
  return { 'gen_ai.operation.name': 'chat', ...providerField(provider), 'gen_ai.request.model': model };
}
