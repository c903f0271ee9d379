import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { askedAttributes, recordCall } from './call-metrics';

const ASKED = askedAttributes({ provider: 'google', model: 'gemini-2.5-pro' });

/** Registers an SDK; `read` returns what it was told since it was asked last. */
function register() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.DELTA);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.disable();
  metrics.setGlobalMeterProvider(provider);
  const read = async () => {
    await reader.forceFlush();
    const told = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    exporter.reset();
    return told.flatMap(({ descriptor: { name }, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({ name, attributes, sum: (value as { sum: number }).sum })),
    );
  };
  return { read, close: () => provider.shutdown() };
}

describe('recordCall', () => {
  afterEach(() => metrics.disable());

  it('does nothing where there is no SDK, and reaches one that is registered later', async () => {
    recordCall(ASKED, { durationMs: 1 });
    const sdk = register();
    recordCall(ASKED, { durationMs: 1_500, promptTokens: 9, completionTokens: 4 });
    expect(await sdk.read()).toEqual([
      { name: 'gen_ai.client.operation.duration', attributes: ASKED, sum: 1.5 },
      { name: 'gen_ai.client.token.usage', attributes: { ...ASKED, 'gen_ai.token.type': 'input' }, sum: 9 },
      { name: 'gen_ai.client.token.usage', attributes: { ...ASKED, 'gen_ai.token.type': 'output' }, sum: 4 },
    ]);
    expect(ASKED).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'gemini-2.5-pro',
    });
    await sdk.close();
  });

  it('tells tokens only as far as they were reported, and of a failure its word', async () => {
    const sdk = register();
    recordCall(ASKED, { durationMs: 250, promptTokens: 9, fault: 'overloaded' });
    expect(await sdk.read()).toEqual([
      { name: 'gen_ai.client.operation.duration', attributes: { ...ASKED, 'error.type': 'overloaded' }, sum: 0.25 },
      { name: 'gen_ai.client.token.usage', attributes: { ...ASKED, 'gen_ai.token.type': 'input' }, sum: 9 },
    ]);
    await sdk.close();
  });
});
