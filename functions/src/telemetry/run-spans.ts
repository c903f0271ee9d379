/* A run as spans by OpenTelemetry's GenAI conventions, 0.1.0: the run, in it each wave of calls, and in a wave its attempts. */
import { type Attributes, type Context, type Span, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';

/** End of a run: its sums, and the code of its fault, if any. */
export interface EndedRun {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedPromptTokens: number;
  readonly costNanoUsd: number;
  readonly fault?: string | undefined;
}

/** Place of a call in its run. */
export interface CallPlace {
  /** 1-based; 0 for the arbiter's calls. */
  readonly round: number;
  readonly seat: string;
}

/** Strategy of a run, and the model of its arbiter. */
interface RunAbout {
  readonly strategy: string;
  readonly model: string | undefined;
}

/** Spans of one run. */
export interface RunSpans {
  /** Context of a wave, which begins with the first of its calls: those of one purpose in a round. */
  waveOf(purpose: string, round: number): Context;
  /** Notes that a call of this wave has ended, and with the last of them the wave. */
  callEnded(purpose: string, round: number): void;
  end(ended: EndedRun): void;
}

const NANO = 1e9;

/** Cost in US dollars. The conventions have no name for it. */
export function costField(costNanoUsd: number | undefined): Attributes {
  return costNanoUsd === undefined ? {} : { 'ensemble.cost_usd': costNanoUsd / NANO };
}

/** Begins the span of a run. A wave is told once the run is over: only then is it known which call was its last. */
export function startRun(tracer: Tracer, within: Context, { strategy, model }: RunAbout): RunSpans {
  const attributes: Attributes = {
    'gen_ai.operation.name': 'invoke_workflow',
    // The providers of its models are those of its calls.
    'gen_ai.provider.name': 'ensemble-api',
    'gen_ai.agent.name': strategy,
    'gen_ai.request.model': model,
  };
  const span = tracer.startSpan(`invoke_workflow ${strategy}`, { attributes }, within);
  const inRun = trace.setSpan(within, span);
  const waves = new Map<string, { readonly span: Span; readonly context: Context; endedMs: number }>();
  const keyOf = (purpose: string, round: number): string => `${round} ${purpose}`;
  return {
    waveOf: (purpose, round) => {
      const known = waves.get(keyOf(purpose, round));
      if (known) return known.context;
      const startTime = epochMs();
      const about = { 'ensemble.purpose': purpose, 'ensemble.round': round };
      const wave = tracer.startSpan(`wave ${purpose}`, { startTime, attributes: about }, inRun);
      const context = trace.setSpan(inRun, wave);
      waves.set(keyOf(purpose, round), { span: wave, context, endedMs: startTime });
      return context;
    },
    callEnded: (purpose, round) => {
      const wave = waves.get(keyOf(purpose, round));
      if (wave) wave.endedMs = epochMs();
    },
    end: ({ promptTokens, completionTokens, cachedPromptTokens, costNanoUsd, fault }) => {
      for (const wave of waves.values()) wave.span.end(wave.endedMs);
      const sums = {
        'gen_ai.usage.input_tokens': promptTokens,
        'gen_ai.usage.output_tokens': completionTokens,
        'gen_ai.usage.cache_read.input_tokens': cachedPromptTokens,
        ...costField(costNanoUsd),
      };
      endSpan(span, sums, fault);
    },
  };
}

/** Ends a span with these attributes; a fault makes it an error. */
export function endSpan(span: Span, attributes: Attributes, fault: string | undefined): void {
  span.setAttributes(fault === undefined ? attributes : { ...attributes, 'error.type': fault });
  if (fault !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Now, to a fraction of a millisecond: a wave may be shorter. */
function epochMs(): number {
  return performance.timeOrigin + performance.now();
}
