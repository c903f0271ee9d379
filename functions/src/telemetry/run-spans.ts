/* A run as spans by OpenTelemetry's GenAI conventions, 0.1.0: the run, in it each wave of calls, and in a wave its attempts. */
import { type Attributes, type Context, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import type { EndedCall } from './call-metrics';

/** End of a run: its sums, and the code of its fault, if any. */
export type EndedRun = Omit<EndedCall, 'durationMs'>;

/** Place of a call in its run; the round of the arbiter's is 0. */
export interface CallPlace {
  readonly round: number;
  readonly seat: string;
}

/** A wave: the calls of one purpose in a round. It lasts until the last of them has ended. */
interface Wave {
  readonly span: Span;
  readonly context: Context;
  endedMs: number;
}

/** Spans of one run. */
export type RunSpans = ReturnType<typeof startRun>;

/** Begins the span of a run. Its waves are told when it is over: only then is it known which calls were their last. */
export function startRun(
  tracer: Tracer,
  within: Context,
  { strategy, model }: { readonly strategy: string; readonly model: string | undefined },
) {
  const operation = 'invoke_workflow';
  // Its calls say whose the models are.
  const names = { 'gen_ai.operation.name': operation, 'gen_ai.provider.name': 'ensemble-api' };
  const attributes: Attributes = { ...names, 'gen_ai.agent.name': strategy, 'gen_ai.request.model': model };
  const span = tracer.startSpan(`${operation} ${strategy}`, { attributes }, within);
  const inRun = trace.setSpan(within, span);
  const waves = new Map<string, Wave>();
  const beginWave = (purpose: string, round: number): Wave => {
    const startTime = epochMs();
    const about = { 'ensemble.purpose': purpose, 'ensemble.round': round };
    const wave = tracer.startSpan(`wave ${purpose}`, { startTime, attributes: about }, inRun);
    return { span: wave, context: trace.setSpan(inRun, wave), endedMs: startTime };
  };
  return {
    /** Begins a call in its wave; `ended` is called at its end. */
    begin: (purpose: string, round: number) => {
      const key = `${round} ${purpose}`;
      const wave = waves.get(key) ?? beginWave(purpose, round);
      waves.set(key, wave);
      return { context: wave.context, ended: () => void Object.assign(wave, { endedMs: epochMs() }) };
    },
    end: ({ fault, ...sums }: EndedRun): void => {
      for (const wave of waves.values()) wave.span.end(wave.endedMs);
      endSpan(span, { ...usageFields(sums), 'error.type': fault }, fault);
    },
  };
}

/** Tokens and cost; what is undefined does not appear. The conventions have no name for a cost. */
export function usageFields({ costNanoUsd, ...usage }: EndedRun): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage.promptTokens,
    'gen_ai.usage.output_tokens': usage.completionTokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cachedPromptTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage.cacheWritePromptTokens,
    'ensemble.cost_usd': costNanoUsd === undefined ? undefined : costNanoUsd / 1e9,
  };
}

/** Ends a span with these attributes; a fault makes it an error. */
export function endSpan(span: Span, attributes: Attributes, fault: string | undefined): void {
  span.setAttributes(attributes);
  if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Now, to a fraction of a millisecond: a wave may be shorter. */
function epochMs(): number {
  return performance.timeOrigin + performance.now();
}
