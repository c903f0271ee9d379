import type { Attributes } from '@opentelemetry/api';

/** One attempt at a model, as it begins; `model` is the provider's own name for it. */
export interface AskedModel {
  readonly provider: string;
  readonly model: string;
}

/** The names OpenTelemetry's GenAI conventions have for providers; others go by ours. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: 'gcp.gemini' };

/** A provider in the log, as `gen_ai.provider.name`. */
export function providerField(provider: string) {
  return { 'gen_ai.provider.name': PROVIDER_NAMES[provider] ?? provider };
}

/** Provider and model of a call, by OpenTelemetry's GenAI names: for spans, metrics and log lines alike. */
export function askedAttributes({ provider, model }: AskedModel): Attributes {
  return { 'gen_ai.operation.name': 'chat', ...providerField(provider), 'gen_ai.request.model': model };
}
